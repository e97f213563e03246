/// Changes that were made together, and that `undo` reverses together.
public struct DriveOperation: Hashable, Sendable, Identifiable {
    /// Greater than those of all earlier operations of this device.
    public var id: UInt64
    public var kind: Kind
    /// When it began, in milliseconds since 1970.
    public var time: UInt64
    /// The operation that this one has reversed.
    public var undoes: UInt64?

    /// Why something changed.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// People and programs changed it here, as a scan found.
        case local
        /// Other devices changed it, and it was brought here.
        case sync
        case resolve, clean, restore, undo
        /// A person decided about deletes that the brake held.
        case deletes
        /// Damage was mended.
        case repair

        /// Somebody asked for it here.
        public var isAnAct: Bool { self != .local && self != .sync }
    }

    public init(id: UInt64, kind: Kind, time: UInt64, undoes: UInt64? = nil) {
        self.id = id
        self.kind = kind
        self.time = time
        self.undoes = undoes
    }
}
