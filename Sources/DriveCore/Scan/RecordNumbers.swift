/// What a device numbers and dates its records with; kept in the index, in the transaction of the records.
public struct RecordNumbers: Hashable, Sendable {
    public var device: DeviceID
    /// The number of the last record made, published or not.
    public var last: UInt64
    /// The greatest clock value sent or, within a bound, received.
    public var clock: HybridTime

    public init(device: DeviceID, last: UInt64 = 0, clock: HybridTime = .zero) {
        self.device = device
        self.last = last
        self.clock = clock
    }

    /// How far ahead of the wall clock a foreign tag may push ours: 1 hour.
    public static let greatestAdvance: UInt64 = 3_600_000

    /// Learns of a foreign time.
    public mutating func receive(_ time: HybridTime, now: UInt64) {
        clock = max(clock, min(time, Self.bound(now)))
    }

    /// What foreign times may push a clock to.
    static func bound(_ now: UInt64) -> HybridTime { HybridTime(milliseconds: now + greatestAdvance) }
}

extension ScanRecorder {
    /// Makes the records of all changes as one group with one time, brings the view up to date, and returns the group;
    /// nil where nothing changed, or where there is no store to make records for. Rows and states are saved through the tables.
    public mutating func record(_ numbers: inout RecordNumbers, now: UInt64) throws -> RecordGroup? {
        try collect()
        guard makesRecords else { return nil }
        try keepRevived()
        try collectForView()
        let old = try Dictionary(
            uniqueKeysWithValues: changes.keys.compactMap { id in try tables.item(id).map { (id, $0.state) } })
        // Later than everything that it replaces, whatever the clocks say; but what is far ahead, or a lie, gives its
        // time to its own item only.
        let replaced = old.values.map(\.newestTime).max() ?? .zero
        let time = max(HybridTime(milliseconds: now), numbers.clock.next, min(replaced.next, RecordNumbers.bound(now)))
        var records: [ItemState] = []
        for id in changes.keys.sorted() {
            let change = changes[id]!
            let maker = RecordMaker(
                dot: Dot(device: numbers.device, n: numbers.last + 1),
                time: max(time, old[id]?.newestTime.next ?? .zero), isAlive: reader.isAlive,
                isShownHere: isShownHere)
            if let state = old[id] {
                guard let record = try maker.update(state, change) else { continue }
                records.append(record)
            } else if let kind = change.created {
                records.append(maker.create(id, change, kind: kind))
            } else {
                continue
            }
            numbers.last += 1
        }
        try standForRecords(records, numbers.device)
        guard !records.isEmpty else { return nil }
        numbers.clock = time
        var maintenance = ViewMaintenance(tables)
        try maintenance.put(records)
        try tables.keep(maintenance.replaced, until: now)
        return RecordGroup(records: records)
    }

    private func isShownHere(_ item: ItemID, _ dots: Set<Dot>) throws -> Bool {
        try tables.rows(holding: item).contains { row in
            row.member(item)?.dots.contains(where: dots.contains) ?? false
        }
    }

    /// Rows stand for the records that they gave rise to.
    private mutating func standForRecords(_ records: [ItemState], _ device: DeviceID) throws {
        let dots = Dictionary(
            uniqueKeysWithValues: records.map { ($0.id, Dot(device: device, n: $0.context[device])) })
        for successor in successors {
            guard let dot = dots[successor.item], var row = try tables.row(successor.row) else { continue }
            if successor.isContent {
                row.members = [Member(item: successor.item, dots: row.kind == .folder ? [] : [dot])]
            }
            row.lifeSeen[successor.item] = [dot]
            touchedRows.insert(row.id)
            try tables.save(row)
        }
    }
}
