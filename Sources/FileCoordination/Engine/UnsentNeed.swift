import DriveCore

/// What the records that wait to be published need of what is kept.
struct UnsentNeed {
    /// Of files that are there, and of deletes of what others know.
    private(set) var shown: Set<ObjectKey> = []
    /// Of what such files held before.
    private(set) var replaced: Set<ObjectKey> = []
    private(set) var gone: Set<ObjectKey> = []
    private let device: DeviceID
    private var lastNumber: [ItemID: UInt64] = [:]
    private var shownItems: Set<ItemID> = []
    /// Others may know of them.
    private var knownItems: Set<ItemID> = []
    private var byNumber: [UInt64: Set<ObjectKey>] = [:]

    init(
        _ groups: [RecordGroup], kept: Set<ObjectKey>, device: DeviceID, _ state: any DriveState,
        _ transport: any Transport
    ) async throws {
        self.device = device
        let withheld = try WithheldItems(state).all()
        let records = groups.flatMap(\.records)
        for record in records { lastNumber[record.id] = record.context[device] }
        var now: [ItemID: Set<ContentHash>] = [:]
        for record in records.reversed() {
            let isLast = lastNumber[record.id] == record.context[device]
            if isLast {
                now[record.id] = Set(record.heads.map(\.content.hash))
                if try state.item(record.id)?.shape.isAlive ?? record.isWanted { shownItems.insert(record.id) }
                if try Self.isKnown(record, device, withheld[record.id], state) { knownItems.insert(record.id) }
            }
            var own: Set<ObjectKey> = []
            for head in record.heads {
                let objects = try await Self.objects(of: head.content, among: kept, transport)
                own.formUnion(objects)
                if !shownItems.contains(record.id), !knownItems.contains(record.id) {
                    gone.formUnion(objects)
                } else if isLast {
                    shown.formUnion(objects)
                } else if now[record.id]?.contains(head.content.hash) != true {
                    // What it holds now and was stored once more is not needed where it lay before.
                    replaced.formUnion(objects)
                }
            }
            byNumber[record.context[device]] = own
        }
        replaced.subtract(shown)
        gone.subtract(shown.union(replaced))
    }

    /// What another device has changed, or of which this one has published something that it is made of, or that it held before. What
    /// is withheld waits while others are published, so that its numbers do not tell.
    private static func isKnown(
        _ record: ItemState, _ device: DeviceID, _ withheld: WithheldItems.Reason?, _ state: any DriveState
    ) throws -> Bool {
        if record.context.entries.contains(where: { $0.device != device }) { return true }
        if let withheld { return withheld.isKnown }
        let published = try state.journal().published
        let dots = [record.name.tag.dot, record.placement.tag.dot] + record.heads.map(\.dot) + record.life.map(\.dot)
        if dots.contains(where: { $0.n <= published }) { return true }
        return try state.pastVersions(of: record.id).contains { past in
            past.head.dot.device != device || past.head.dot.n <= published
        }
    }

    /// Of a list that cannot be read any of those that are kept may be a part.
    static func objects(
        of content: Content, among kept: Set<ObjectKey>, _ transport: any Transport
    ) async throws -> Set<ObjectKey> {
        do { return try await transport.objects(of: content).intersection(kept) } catch {
            guard error.remedy != .halt, error.kind != .unreachable else { throw error }
            return kept
        }
    }

    /// Their last records name other contents now, which the store has.
    mutating func needNothing(_ items: some Sequence<ItemID>) {
        for id in items { if let number = lastNumber[id] { byNumber[number] = [] } }
    }

    func objects(of record: ItemState) -> Set<ObjectKey> { byNumber[record.context[device]] ?? [] }

    func last(_ id: ItemID) -> [ObjectKey] { lastNumber[id].flatMap { byNumber[$0] }?.sorted() ?? [] }

    func isLast(_ record: ItemState) -> Bool { lastNumber[record.id] == record.context[device] }

    func isShown(_ id: ItemID) -> Bool { shownItems.contains(id) }

    func isKnown(_ id: ItemID) -> Bool { knownItems.contains(id) }

    /// The last record of a file that is gone and that no other device has heard of: nobody is to hear of it now.
    func isInVain(_ record: ItemState) -> Bool { isLast(record) && !isShown(record.id) && !isKnown(record.id) }
}
