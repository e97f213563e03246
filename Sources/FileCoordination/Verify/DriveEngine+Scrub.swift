public import DriveCore

/// A file that the scrub is to read: what was recorded of it, and what must still be so for the reading to count.
public struct ScrubFile: Hashable, Sendable {
    let row: RowID
    public var path: DrivePath
    public var facts: FileFacts
    public var recorded: ContentHash
}

// The rolling scrub: what a disk has lost is noticed while other devices still have it. The engine says what to read and
// keeps what was found; the reading is done elsewhere, so that no edit waits for it.
extension DriveEngine {
    /// What to read now, so that every file is read once in `roundTime` (milliseconds); nothing where it is not time yet.
    public func scrubShare(roundTime: UInt64) throws -> [ScrubFile] {
        let now = parts.clock.milliseconds()
        var memory = try ScrubMemory.load(from: parts.state) ?? ScrubMemory(now: now)
        memory.earn(now: now, roundTime: max(1, roundTime))
        var files: [ScrubFile] = []
        while memory.total != nil, memory.credit > 0, files.count < Self.largestShare {
            guard let row = try parts.state.rows(after: memory.last, limit: 1).first else {
                // The next round begins with the next share.
                memory.last = .root
                break
            }
            memory.last = row.id
            memory.credit -= Int64(ScrubMemory.cost(of: row))
            guard row.kind != .folder, !row.isParked, let hash = row.hash else { continue }
            files.append(
                ScrubFile(row: row.id, path: try parts.state.path(of: row), facts: row.facts, recorded: hash))
        }
        try parts.state.transaction { try memory.save(to: parts.state) }
        return files
    }

    private static let largestShare = 10_000

    /// What contents are to be read with; nil where they have hashes.
    public func contentKey() throws -> ContentKey? { try parts.state.contentKey() }

    /// Counts a part of what a round costs; nil where there is nothing more to count today.
    public func measureScrub(_ before: ScrubMeasure) throws -> ScrubMeasure? {
        let now = parts.clock.milliseconds()
        var memory = try ScrubMemory.load(from: parts.state) ?? ScrubMemory(now: now)
        var measure = before
        if measure.last == .root, !memory.needsMeasure(now: now) { return nil }
        let rows = try parts.state.rows(after: measure.last, limit: 1_000)
        measure.total += rows.reduce(0) { $0 + ScrubMemory.cost(of: $1) }
        if let last = rows.last {
            measure.last = last.id
            return measure
        }
        memory.total = measure.total
        memory.measured = now
        try parts.state.transaction { try memory.save(to: parts.state) }
        return nil
    }

    /// Keeps what was found damaged, where it is still what was read, lists it among the problems and in the log, and forgets
    /// what was read and found whole.
    public func note(_ readings: [FileReading]) throws {
        try forgetMendedFiles()
        guard !readings.isEmpty else { return }
        parts.operations.begin()
        let now = parts.clock.milliseconds()
        var memory = try ScrubMemory.load(from: parts.state) ?? ScrubMemory(now: now)
        var events: [DriveEvent] = []
        for reading in readings {
            guard let row = try parts.state.row(reading.id), let recorded = row.hash, reading.isOf(row),
                memory.take(reading, recorded, now: now)
            else { continue }
            events.append(
                DriveEvent(
                    time: now, kind: reading.isWhole ? .recovered : .error, path: try parts.state.path(of: row),
                    note: reading.isWhole ? Self.wholeAgain : Self.damage))
        }
        if !events.isEmpty { try keep(memory, events) }
    }

    private static let damage =
        "its bytes changed, its size and dates did not: `docdrive verify --repair` brings back what was recorded, "
        + "`touch` keeps what is there"
    private static let wholeAgain = "It was read again, and its bytes are those that were recorded."

    /// Forgets what has been edited, repaired or removed since it was found. Cheap where nothing was found.
    func forgetMendedFiles() throws {
        guard var memory = try ScrubMemory.load(from: parts.state), !memory.damaged.isEmpty else { return }
        let before = memory.damaged.count
        memory.damaged = try memory.damaged.filter { finding in
            guard let row = try parts.state.row(finding.row) else { return false }
            return row.hash == finding.recorded && row.facts.changed == finding.changed
        }
        if memory.damaged.count != before { try keep(memory) }
    }

    private func keep(_ memory: ScrubMemory, _ events: [DriveEvent] = []) throws {
        let problems = try memory.damaged.compactMap { finding in
            try parts.state.row(finding.row).map { row in
                Problem(
                    path: try parts.state.path(of: row), reason: Self.damage, source: .scrub, since: finding.since)
            }
        }
        try parts.state.transaction {
            try memory.save(to: parts.state)
            try parts.state.setProblems(problems, from: .scrub)
            for event in events {
                // Damage was done by nobody; that it is gone was found here.
                if event.kind == .error {
                    try parts.log(event)
                } else {
                    try parts.operations.during(.local) { try parts.log(event) }
                }
            }
        }
    }
}

/// How far the counting of a round's cost is.
public struct ScrubMeasure: Sendable {
    var last = RowID.root
    var total: UInt64 = 0

    public init() {}
}
