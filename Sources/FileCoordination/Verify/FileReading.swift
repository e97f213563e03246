public import DriveCore

/// What somebody found who read a file whose size and modification time are those that were recorded.
public struct FileReading: Hashable, Sendable, Codable {
    private var row: Int64
    /// What the row said when its file was read, as far as it tells one state of a row from another.
    private var changedSeconds: Int64
    private var changedNanoseconds: UInt32
    private var recorded: [UInt8]
    /// Its bytes are those that were recorded.
    public var isWhole: Bool

    init(row: RowID, facts: FileFacts, recorded: ContentHash, isWhole: Bool) {
        self.row = row.rawValue
        (changedSeconds, changedNanoseconds) = (facts.changed.seconds, facts.changed.nanoseconds)
        self.recorded = recorded.bytes
        self.isWhole = isWhole
    }

    var id: RowID { RowID(rawValue: row) }

    /// False where the row is another by now, and the reading says nothing of it.
    func isOf(_ row: Row) -> Bool {
        row.id == id && row.hash?.bytes == recorded && row.facts.changed == changed
    }

    var changed: FileTime { FileTime(seconds: changedSeconds, nanoseconds: changedNanoseconds) }
}

/// The files that are listed as damaged.
public struct KnownDamage {
    /// Empty where none is.
    let rows: Set<RowID>

    public init(_ state: any DriveState) throws {
        rows = Set(try ScrubMemory.load(from: state)?.damaged.map(\.row) ?? [])
    }
}
