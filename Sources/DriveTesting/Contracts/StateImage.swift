import DriveCore

/// Everything that a drive's state tells when it is asked for all, to be compared as a whole.
public struct StateImage: Hashable {
    let items: Set<StoredItem>
    let rows: [Row]
    let rowCount: Int
    let undone: Set<ItemID>
    let derived: [ItemID: [DerivedName]]
    let labels: DeviceLabels
    let dirt: ViewDirt
    let numbers: RecordNumbers
    let journal: JournalMemory
    let token: DeviceVector
    let pending: [RecordGroup]
    let own: [ItemID: OwnRecord]
    let intents: [Intent]
    let trash: [TrashEntry]
    let events: [DriveEvent]
    let problems: [Problem]
    let operations: [DriveOperation]
    let versions: [ItemID: [PastVersion]]
    let conflicts: Set<ConflictRecord>

    public init(_ state: any DriveState) throws {
        items = Set(try state.allItems())
        rows = try state.allRows().sorted { $0.id < $1.id }
        rowCount = try state.rowCount()
        undone = try state.undone()
        var derived: [ItemID: [DerivedName]] = [:]
        for node in try state.nodesWithDerivedNames() { derived[node] = try state.derivedNames(in: node) }
        self.derived = derived
        labels = try state.labels()
        dirt = try state.dirt()
        numbers = try state.numbers()
        journal = try state.journal()
        token = try state.token()
        pending = try state.pendingGroups()
        var own: [ItemID: OwnRecord] = [:]
        for item in items { own[item.id] = try state.ownRecord(of: item.id) }
        self.own = own
        intents = try state.intents()
        trash = try state.trash()
        events = try state.events(limit: 1_000)
        problems = try state.problems()
        operations = try state.operations(limit: 1_000)
        var versions: [ItemID: [PastVersion]] = [:]
        for item in items { versions[item.id] = try state.pastVersions(of: item.id) }
        self.versions = versions
        conflicts = Set(try state.conflictRecords())
    }
}

extension RandomTables {
    /// Puts something into every table.
    mutating func fill(_ state: any DriveState) throws {
        for id in ids { try state.save(storedItem(id)) }
        for _ in 0..<20 { try state.save(row(try state.newRowID())) }
        try state.setUndone([ids[0], ids[3]])
        try state.changeDerivedNames(
            in: ids[1], removing: [],
            adding: names.map { DerivedName(name: $0, ownName: names[0], item: random.choice(ids), dot: dot()) })
        var labels = DeviceLabels()
        labels[devices[0]] = [DeviceLabel(from: 0, text: "one"), DeviceLabel(from: 9, text: "zwö")]
        try state.setLabels(labels)
        let found = ViewDirt(groups: [GroupKey(node: .root, name: names[2])], items: [ids[2], ids[5]])
        try state.changeDirt(removing: state.dirt(), adding: found)
        try state.setNumbers(RecordNumbers(device: devices[0], last: 77, clock: HybridTime(milliseconds: 5)))
        try state.setJournal(journal())
        var token = DeviceVector(devices[1], 12)
        token[devices[2]] = .max
        try state.setToken(token)
        try state.addPending(RecordGroup(records: ids.map { self.state($0) }))
        try state.addPending(RecordGroup(records: [self.state(ids[3])]))
        try state.setOwnRecord(OwnRecord(n: 12, covered: 3), of: ids[4])
        try state.addUploaded([chunk()], of: nil)
        try state.addUploaded([chunk()], of: "films/one")
        try fillDiary(state)
    }

    private mutating func journal() -> JournalMemory {
        var memory = JournalMemory(device: devices[0], labels: [DeviceLabel(from: 0, text: "here")])
        memory.published = 70
        memory.generation = 2
        memory.segments = [
            SegmentReference(low: 1, high: 70, key: "segment/1-70", size: 900, hash: hash(), records: 70)
        ]
        memory.heads = ["head/a", "head/b"]
        memory.intended = IntendedHead(key: "head/c", published: 77, generation: 3, segments: memory.segments)
        return memory
    }

    private mutating func fillDiary(_ state: any DriveState) throws {
        let entry = TrashEntry(name: "t1", path: "a/b", hash: hash(), size: .max, reason: .merged, time: 4)
        let steps: [Intent.Step] = [
            .place(staged: "s"), .replace(staged: "s", trash: entry),
            .move(fromFolder: .root, fromName: names[3], wasParked: true), .park,
            .remove(staged: "s", trash: entry), .removeFolder(staged: "f"), .setAttributes,
        ]
        try state.setIntents(
            steps.enumerated().map { place, step in
                Intent(
                    step: step,
                    identity: FileIdentity(inode: random.next(), birth: random.chance(percent: 50) ? time() : nil),
                    row: row(RowID(rawValue: Int64(place + 5))))
            })
        try state.addTrash(entry)
        try state.addTrash(
            TrashEntry(name: names[3], path: "c", hash: nil, size: 0, reason: .damaged, time: 5))
        try state.log(DriveEvent(time: 1, kind: .moved, path: "x/y", from: "z", device: "Nina", note: "why"))
        try state.log(DriveEvent(time: 2, kind: .added, path: DrivePath([names[3]])))
        let operation = DriveOperation(id: 7, kind: .undo, time: 3, undoes: 5)
        let attributes = Attributes(isExecutable: true, modified: time(), extended: [.tags: [1], .comment: []])
        try state.log(
            DriveEvent(
                time: 3, kind: .edited, path: "x/y", operation: operation, before: hash(), after: hash(),
                attributes: attributes))
        try state.log(
            DriveEvent(
                time: 4, kind: .edited, path: "x/z", operation: DriveOperation(id: 7, kind: .undo, time: 3, undoes: 4)))
        try fillHistory(state)
    }

    private mutating func fillHistory(_ state: any DriveState) throws {
        let contents = self.state(ids[1]).heads + self.state(ids[2]).heads
        try state.keep(
            contents.enumerated().map { place, head in
                PastVersion(item: ids[place % 2], head: head, until: UInt64(place))
            })
        for kind in ConflictClass.allCases {
            try state.save(
                ConflictRecord(
                    item: ids[2], dot: dot(), current: hash(), copy: random.chance(percent: 50) ? hash() : nil,
                    ancestor: random.chance(percent: 50) ? hash() : nil, kind: kind,
                    context: DeviceVector(devices[1], 4), time: random.next() >> 1))
        }
        try state.setProblems([Problem(path: "p", reason: "r", source: .scan, since: 3)], from: .scan)
        try state.setProblems([Problem(path: "q", reason: "r", source: .fetch, since: 3)], from: .fetch)
        try state.setSetting([1, 2], "colour")
    }
}
