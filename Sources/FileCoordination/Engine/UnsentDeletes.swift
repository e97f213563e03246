import DriveCore

/// Deletes of files whose last content the store refuses, while something else has their place.
///
/// Whatever is there would wait with them for bytes that are in no folder any more; and told without them it would get the name
/// of a conflict copy elsewhere. So such a delete names, in the place of what is refused, what the file held before.
struct UnsentDeletes {
    private let state: any DriveState
    private let transport: any Transport

    init(_ state: any DriveState, _ transport: any Transport) {
        self.state = state
        self.transport = transport
    }

    /// The records, of which those of such deletes name nothing that is `left` here, nor need it. What they named stays a version of
    /// this device, until `now` where nothing tells when it was deleted.
    func freeing(
        _ groups: [RecordGroup], _ need: inout UnsentNeed, left: Set<ObjectKey>, now: UInt64
    ) async throws -> [RecordGroup] {
        let before = need
        let places = try UnsentPlaces(groups, state) { before.objects(of: $0).contains(where: left.contains) }
        var freed: [ItemID: ItemState] = [:]
        var ended: [ItemID: UInt64] = [:]
        for record in groups.flatMap(\.records) where need.isLast(record) && need.isKnown(record.id) {
            guard !need.isShown(record.id), need.objects(of: record).contains(where: left.contains),
                try !places.itemsInPlace(of: record).isEmpty
            else { continue }
            ended[record.id] = try places.path(of: record).flatMap { try deletion(of: record, at: $0) }
            freed[record.id] = try await namingEarlier(record, left)
        }
        if freed.isEmpty { return groups }
        let changed = groups.map { group in
            RecordGroup(records: group.records.map { need.isLast($0) ? freed[$0.id] ?? $0 : $0 })
        }
        try state.transaction {
            var maintenance = ViewMaintenance(state)
            try maintenance.put(freed.values.map(joined))
            for head in maintenance.replaced { try state.keep([head], until: ended[head.item] ?? now) }
            try state.setPending(changed)
        }
        need.needNothing(freed.keys)
        return changed
    }

    /// What such deletes named before: nothing that is to be published needs it.
    func untold() throws -> [Content] {
        var contents: [Content] = []
        try state.eachItem { item in
            guard !item.shape.isAlive, item.state.kind.hasContent else { return }
            let past = try state.pastVersions(of: item.id)
            guard let last = past.last, item.state.heads.contains(where: past.has) else { return }
            contents.append(last.head.content)
        }
        return contents
    }

    /// With what this device has learned of the item since it was deleted.
    private func joined(_ record: ItemState) throws -> ItemState {
        guard let known = try state.item(record.id)?.state else { return record }
        var result = known.joined(record)
        // What is named again was replaced, to a join for good. It was by nobody else, unless another content is there.
        let isOwn = result.heads.allSatisfy { record.head($0.dot) != nil }
        if isOwn {
            let missing = record.heads.filter { result.head($0.dot) == nil }
            result.heads = (result.heads + missing).sorted { $0.dot < $1.dot }
        }
        return result
    }

    /// When it was, as the log of this device has it.
    private func deletion(of record: ItemState, at path: DrivePath) throws -> UInt64? {
        let contents = Set(record.heads.map(\.content.hash))
        var time: UInt64?
        try state.events(at: path) { event in
            if event.isGone, let content = event.before, contents.contains(content) { time = event.time }
            return time == nil
        }
        return time
    }

    /// Nil where nothing is known that the store has.
    private func namingEarlier(_ record: ItemState, _ left: Set<ObjectKey>) async throws -> ItemState? {
        var earlier: Head?
        for past in try state.pastVersions(of: record.id).reversed() {
            if try await UnsentNeed.objects(of: past.head.content, among: left, transport).isEmpty {
                earlier = past.head
                break
            }
        }
        guard var earlier else { return nil }
        var heads: [Head] = []
        for head in record.heads {
            if try await UnsentNeed.objects(of: head.content, among: left, transport).isEmpty {
                heads.append(head)
            } else {
                earlier.mark = earlier.mark.union(head.mark)
            }
        }
        if !heads.contains(where: { $0.dot == earlier.dot }) { heads.append(earlier) }
        return ItemState(
            id: record.id, kind: record.kind, context: record.context, name: record.name, placement: record.placement,
            attributes: record.attributes, heads: heads, life: record.life)
    }
}
