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

    /// The records, of which those of such deletes name nothing that is `left` here, nor need it.
    func freeing(
        _ groups: [RecordGroup], _ need: inout UnsentNeed, left: Set<ObjectKey>
    ) async throws -> [RecordGroup] {
        let before = need
        let places = try UnsentPlaces(groups, state) { before.objects(of: $0).contains(where: left.contains) }
        var freed: [ItemID: ItemState] = [:]
        for record in groups.flatMap(\.records) where need.isLast(record) && need.isKnown(record.id) {
            guard !need.isShown(record.id), need.objects(of: record).contains(where: left.contains),
                try !places.itemsInPlace(of: record).isEmpty
            else { continue }
            freed[record.id] = try await namingEarlier(record, left)
        }
        if freed.isEmpty { return groups }
        let changed = groups.map { group in
            RecordGroup(records: group.records.map { need.isLast($0) ? freed[$0.id] ?? $0 : $0 })
        }
        try state.transaction {
            var maintenance = ViewMaintenance(state)
            try maintenance.put(Array(freed.values))
            try state.setPending(changed)
        }
        need.needNothing(freed.keys)
        return changed
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
