// Contents that nobody has any more.
extension ScanRecorder {
    /// The item goes on without these heads, as if whoever had them here had deleted them; where none is left it is deleted.
    public mutating func giveUp(_ heads: Set<Dot>, of state: ItemState) {
        var change = changes[state.id] ?? ItemChange()
        change.isDeletedBySelf = true
        change.dropped.formUnion(heads)
        change.seen.formUnion(state.life.map(\.dot))
        changes[state.id] = change
    }

    /// After the record: what lies here of a deleted item is nobody's, so that the next scan takes it for new.
    public func disown(_ item: ItemID) throws -> Bool {
        let rows = try tables.rows(holding: item)
        for var row in rows {
            row.members.removeAll { $0.item == item }
            row.lifeSeen[item] = nil
            try row.members.isEmpty ? tables.remove(row.id) : tables.save(row)
        }
        return !rows.isEmpty
    }
}
