/// Changes that were made together, and that `undo` reverses together.
public struct DriveOperation: Hashable, Sendable, Identifiable {
    /// Greater than those of all earlier operations of this device.
    public var id: UInt64
    public var kind: Kind
    /// When it began, in milliseconds since 1970.
    public var time: UInt64
    /// The operations that this one has reversed, or parts of them. Of an event it is the one whose change it reversed.
    public var reversed: Set<UInt64>

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
        /// Contents were given up that nobody had any more.
        case giveUp

        /// Somebody asked for it here.
        public var isAnAct: Bool { self != .local && self != .sync }
    }

    public init(id: UInt64, kind: Kind, time: UInt64, undoes: UInt64? = nil) {
        self.id = id
        self.kind = kind
        self.time = time
        reversed = Set([undoes].compactMap(\.self))
    }

    /// The newest of those that it has reversed.
    public var undoes: UInt64? { reversed.max() }
}

extension [DriveOperation] {
    /// For each operation that is undone, the newest that has undone it. Of all operations, the newest first: an undo that is
    /// undone itself reverses nothing any more, and who undoes it came later.
    public var undone: [UInt64: UInt64] {
        var undone: [UInt64: UInt64] = [:]
        for operation in self where undone[operation.id] == nil {
            for id in operation.reversed where undone[id] == nil { undone[id] = operation.id }
        }
        return undone
    }
}
