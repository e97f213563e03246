import DriveCore

// What the view keeps besides items.
extension DriveIndex {
    public func undone() throws -> Set<ItemID> {
        Set(try connection.all(Self.undoneItems) { try keys.item($0.int(0)) })
    }

    public func setUndone(_ items: Set<ItemID>) throws {
        try transaction {
            try connection.run(Self.clearUndone)
            for item in items.sorted() { try connection.run(Self.addUndone, .int(try keys.key(of: item))) }
        }
    }

    public func dirt() throws -> ViewDirt {
        if let dirt = known.dirt?.now { return dirt }
        let groups = try connection.all(Self.dirtyGroups) { GroupKey(node: try keys.item($0.int(0)), name: $0.name(1)) }
        let items = try connection.all(Self.dirtyItems) { try keys.item($0.int(0)) }
        let dirt = ViewDirt(groups: Set(groups), items: Set(items))
        if !connection.isReadOnly { known.dirt = KeptDirt(dirt) }
        return dirt
    }

    /// Mostly written once, when the transaction ends: much of what becomes dirty in one is clean again before its end.
    public func changeDirt(removing old: ViewDirt, adding new: ViewDirt) throws {
        try transaction {
            _ = try dirt()
            known.dirt?.remove(old)
            known.dirt?.add(new)
            if known.dirt?.isMuchChanged == true { try saveDirt() }
        }
    }

    /// Writes the difference to what the tables hold.
    func saveDirt() throws {
        guard let dirt = known.dirt else { return }
        known.dirt?.isSaved()
        if dirt.now.isEmpty, !dirt.removed.isEmpty {
            try connection.run(Self.clearDirtyGroups)
            try connection.run(Self.clearDirtyItems)
            return
        }
        for group in dirt.removed.groups { try write(group, Self.removeDirtyGroup) }
        for group in dirt.added.groups { try write(group, Self.addDirtyGroup) }
        for item in dirt.removed.items { try write(item, Self.removeDirtyItem) }
        for item in dirt.added.items { try write(item, Self.addDirtyItem) }
    }

    private func write(_ group: GroupKey, _ query: Query) throws {
        try connection.run(query, .int(try keys.key(of: group.node)), .name(group.name))
    }

    private func write(_ item: ItemID, _ query: Query) throws {
        try connection.run(query, .int(try keys.key(of: item)))
    }

    /// Of `dirt`. A reader, which others write beside, does not keep it.
    public func dirtyItems() throws -> Set<ItemID> {
        try known.dirt?.now.items ?? Set(connection.all(Self.dirtyItems) { try keys.item($0.int(0)) })
    }

    private static let undoneItems = Query("SELECT item FROM undone")
    private static let clearUndone = Query("DELETE FROM undone")
    private static let addUndone = Query("INSERT INTO undone (item) VALUES (?)")
    private static let dirtyGroups = Query("SELECT node, name FROM dirtyGroup")
    private static let dirtyItems = Query("SELECT item FROM dirtyItem")
    private static let clearDirtyGroups = Query("DELETE FROM dirtyGroup")
    private static let clearDirtyItems = Query("DELETE FROM dirtyItem")
    private static let addDirtyGroup = Query("INSERT INTO dirtyGroup (node, name) VALUES (?, ?)")
    private static let removeDirtyGroup = Query("DELETE FROM dirtyGroup WHERE node = ? AND name = ?")
    private static let addDirtyItem = Query("INSERT INTO dirtyItem (item) VALUES (?)")
    private static let removeDirtyItem = Query("DELETE FROM dirtyItem WHERE item = ?")
}
