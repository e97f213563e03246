import DriveCore

// Between what a transaction has at hand and the tables.
extension DriveIndex {
    /// Outside of transactions nothing is kept: another connection may write in between.
    var hasAtHand: Bool { connection.isInTransaction && !isSettling && !connection.isReadOnly }

    func itemAtHand(_ id: ItemID) throws -> ItemsAtHand.Entry {
        if let entry = items[id] { return entry }
        let mayBeThere = filter?.mayHave(item: id) ?? true
        let entry = try mayBeThere ? entryInTables(id) : nil
        let known = entry ?? ItemsAtHand.Entry()
        keep(known, id)
        return known
    }

    private func entryInTables(_ id: ItemID) throws -> ItemsAtHand.Entry? {
        try connection.first(Self.entryOfItem, .id(id)) { try entry($0, id) }
    }

    /// Of `entryOfItem` and `childrenNamed`.
    func entry(_ row: borrowing Cursor, _ id: ItemID) throws -> ItemsAtHand.Entry {
        let item = row.isNull(1) ? nil : try storedItem(row, id)
        return ItemsAtHand.Entry(key: row.int(0), item, own: Self.own(row, 10))
    }

    func keep(_ entry: ItemsAtHand.Entry, _ id: ItemID) {
        if let key = entry.key { keys.add(id, key) }
        items.add(entry, of: id)
    }

    /// The key by which the tables may name the item; nil where they cannot.
    func tableKey(of item: ItemID) throws -> Int64? {
        if let entry = items[item] { return entry.key }
        return try keys.knownKey(of: item)
    }

    func rowAtHand(_ id: RowID) throws -> Row? {
        if let entry = rows[id] { return entry.row }
        let row = try mayBeInTables(id) ? connection.first(Self.rowInTables, .int(id.rawValue), read: readRow) : nil
        rows.add(RowsAtHand.Entry(row), of: id)
        return row
    }

    func mayBeInTables(_ id: RowID) throws -> Bool { try !hasAtHand || id < firstNewRow() }

    /// The root's row is always there.
    func hasRowsInTables() throws -> Bool { try !hasAtHand || firstNewRow().rawValue > RowID.root.rawValue + 1 }

    private func firstNewRow() throws -> RowID {
        if let known = rows.firstNew { return known }
        let first = try nextRow()
        rows.firstNew = first
        return first
    }

    /// Called before something is asked for or saved, never in between.
    func makeRoom() throws { if items.isFull || rows.isFull { try settle() } }

    /// Brings everything that waits into the tables. It may be called at any time within a transaction.
    func settle() throws {
        guard connection.isInTransaction, !isSettling, !items.isEmpty || !rows.isEmpty else { return }
        isSettling = true
        defer { isSettling = false }
        for id in items.waiting { if let entry = items[id] { try write(entry, of: id) } }
        for id in rows.waiting { if let entry = rows[id] { try write(entry, of: id) } }
        try forgetKnown(rows.changedFolders)
        forgetAtHand()
    }

    func forgetAtHand() {
        items.clear()
        rows.clear()
    }

    private static let entryOfItem = Query(
        beneath: """
            SELECT key, kind, parent, eff, node, alive, shownChildren, name, state, uid, own, covered FROM item
            WHERE uid = ?
            """)
    private static let rowInTables = Query(beneath: "SELECT \(rowColumns) FROM row WHERE id = ?")
}
