extension ViewStorage {
    /// Items that bear the path's names, dead ones and their folders included.
    package func items(named path: DrivePath) throws -> [ItemID] {
        var items: Set<ItemID> = [.root]
        for name in path.components {
            items = Set(try items.flatMap { try children(of: $0, named: name) }.map(\.id))
            if items.isEmpty { break }
        }
        return path.isRoot ? [] : items.sorted()
    }
}
