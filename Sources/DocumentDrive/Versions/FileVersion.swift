public import DriveCore

/// One of the contents that a file has or had: `NSFileVersion` is the model.
public struct FileVersion: Hashable, Sendable, Identifiable {
    /// Where the file is, or was.
    public var path: DrivePath
    /// The identity of the bytes.
    public var content: ContentHash
    public var size: UInt64
    /// The file's own modification time, as it was saved with.
    public var modificationDate: FileTime
    /// The label of the device that saved it; nil where no record tells.
    public var deviceName: String?
    /// When it was recorded, in milliseconds since 1970.
    public var recorded: UInt64?
    /// When another content took its place, as far as this device knows; nil for what is in force.
    public var replaced: UInt64?
    public var kind: Kind
    public var place: Place
    /// Of what is in the store alone: this device has agreed to its removal or missed it there, or has seen it unneeded for as long as
    /// what nobody needs is kept, or may have been away for so long that others went on without it. They may have needed it since.
    public var mayHaveLeftTheStore = false
    /// When it was in force, the last time first: a content may come back.
    public var periods: [Period]

    /// In milliseconds since 1970, as far as this device knows.
    public struct Period: Hashable, Sendable {
        public var from: UInt64
        /// Nil while it is in force, and where the end is not known.
        public var until: UInt64?
    }

    public enum Kind: String, Hashable, Sendable {
        /// What the file holds.
        case current
        /// An unresolved conflict: shown as a copy beside the file.
        case conflict
        /// Replaced by another content.
        case past
        /// What the file held when it was deleted.
        case deleted
    }

    /// Where the bytes are.
    public enum Place: String, Hashable, Sendable {
        /// In the folder itself.
        case folder
        /// In the drive's trash on this device.
        case trash
        /// In what the drive keeps on this device until it can be sent to the store.
        case unsent
        /// There likewise, of what is not sent any more: the store had no room for it when what took its place was sent, or its file
        /// was deleted before any other device had heard of it.
        case kept
        /// Nowhere on this device: they are brought from the store, for as long as it keeps them.
        case store
        /// Nowhere any more: this device has removed it from the store, or it was given up.
        case gone
    }

    /// The content's 64 hexadecimal digits: the same on every device and in every version of the program. In a drive without a
    /// store, the drive's own, which another drive does not know, and others once it gets a store.
    public var persistentIdentifier: String { content.description }
    public var id: String { persistentIdentifier }
    public var isConflict: Bool { kind == .conflict }
    /// False as long as its conflict stands; true for every other version.
    public var isResolved: Bool { kind != .conflict }
    public var hasLocalContents: Bool { place != .store && place != .gone }
}
