import DriveCore

/// How far the rolling scrub is: every file is read once in a round, a little at a time.
///
/// Bytes are read on credit that grows with time, so a round takes as long as it should whether files are many, few, or
/// one that is larger than a day's share.
struct ScrubMemory: Equatable {
    /// The row that was looked at last; the root at the beginning of a round.
    var last = RowID.root
    /// Bytes that may be read now; a debt after a file that was larger.
    var credit: Int64 = 0
    /// When the credit was counted last, in milliseconds since 1970.
    var counted: UInt64
    /// The cost of a round, counted every day, since drives grow; nil until then.
    var total: UInt64?
    /// When it was counted, in milliseconds since 1970.
    var measured: UInt64 = 0
    /// What was found, by the scrub or by `docdrive verify`, until it is edited, repaired, found whole or gone.
    var damaged: [Finding] = []

    struct Finding: Equatable {
        var row: RowID
        /// What the row said when its file was read.
        var changed: FileTime
        var recorded: ContentHash
        /// Milliseconds since 1970.
        var since: UInt64
    }

    /// Time that a drive was not watched makes up for at most this much, lest a machine that wakes up be busy with it.
    static let longestPause: UInt64 = 24 * 3_600_000
    /// As many are listed; `docdrive verify` lists all.
    static let mostFindings = 1_000

    init(now: UInt64) { counted = now }

    func needsMeasure(now: UInt64) -> Bool { total == nil || now < measured || now - measured >= Self.longestPause }

    /// What looking at a file costs: opening it is not free either.
    static func cost(of row: Row) -> UInt64 { row.kind == .folder ? 0 : min(row.facts.size, 1 << 50) + 4_096 }

    /// Counts the time since the last call.
    mutating func earn(now: UInt64, roundTime: UInt64) {
        let pause = now > counted ? min(now - counted, Self.longestPause) : 0
        counted = now
        guard let total else { return }
        let share = Double(total) * Double(pause) / Double(roundTime)
        credit = min(credit, Int64(min(total, 1 << 60))) + Int64(share.rounded(.up))
    }

    /// False where nothing is news, or no more is listed.
    mutating func take(_ reading: FileReading, _ recorded: ContentHash, now: UInt64) -> Bool {
        let known = damaged.firstIndex { $0.row == reading.id }
        if reading.isWhole {
            if let known { damaged.remove(at: known) }
            return known != nil
        }
        guard known == nil, damaged.count < Self.mostFindings else { return false }
        damaged.append(Finding(row: reading.id, changed: reading.changed, recorded: recorded, since: now))
        return true
    }
}

// As a setting of the index.
extension ScrubMemory {
    private static let key = "scrub"

    static func load(from state: any DriveState) throws -> ScrubMemory? {
        guard let bytes = try state.setting(key) else { return nil }
        var reader = ByteReader(bytes)
        var memory = ScrubMemory(now: 0)
        memory.last = RowID(rawValue: try reader.signed())
        memory.credit = try reader.signed()
        memory.counted = try reader.varint()
        if try reader.byte() == 1 { memory.total = try reader.varint() }
        memory.measured = try reader.varint()
        for _ in 0..<(try reader.count(limit: mostFindings, each: 36)) {
            let row = RowID(rawValue: try reader.signed())
            let changed = FileTime(
                seconds: try reader.signed(), nanoseconds: UInt32(truncatingIfNeeded: try reader.varint()))
            memory.damaged.append(
                Finding(row: row, changed: changed, recorded: try reader.hash(), since: try reader.varint()))
        }
        try reader.expectEnd()
        return memory
    }

    /// Within the caller's transaction.
    func save(to state: any DriveState) throws {
        var writer = ByteWriter()
        writer.signed(last.rawValue)
        writer.signed(credit)
        writer.varint(counted)
        writer.byte(total == nil ? 0 : 1)
        if let total { writer.varint(total) }
        writer.varint(measured)
        writer.count(damaged.count)
        for finding in damaged {
            writer.signed(finding.row.rawValue)
            writer.signed(finding.changed.seconds)
            writer.varint(UInt64(finding.changed.nanoseconds))
            writer.hash(finding.recorded)
            writer.varint(finding.since)
        }
        try state.setSetting(writer.bytes, Self.key)
    }
}
