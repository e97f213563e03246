// Most of what changes are files and links. Nothing hangs in them and no mark is void because of them, so their shape follows
// from their own record and from the folders around them: it is computed once, after those of all folders.
extension ViewMaintenance {
    /// A file or link whose new state is saved.
    struct PutFile {
        var id: ItemID
        /// Its record names another parent than before, or the first.
        var isMoved: Bool
    }

    mutating func put(_ files: [PutFile]) throws {
        var counts: [ItemID: Int] = [:]
        for file in files { try put(file, &counts) }
        for (folder, difference) in counts.sorted(by: { $0.key < $1.key }) where difference != 0 {
            try change(folder) { $0.shownChildren += difference }
        }
    }

    private mutating func put(_ file: PutFile, _ counts: inout [ItemID: Int]) throws {
        guard var item = try storage.item(file.id) else { return }
        let before = item.shape
        if file.isMoved { item.shape.parent = try parent(of: item.state) }
        item.shape.isAlive = try item.state.life.contains { dot in try !dot.mark.holds(isAlive: reader.isAlive) }
        if item.shape != before { try storage.save(item) }
        try touch(item)
        guard before.parent != item.shape.parent || before.isShown != item.shape.isShown else { return }
        if item.shape.isShown, let parent = item.shape.parent, parent != .root { counts[parent, default: 0] += 1 }
        if before.isShown, let parent = before.parent, parent != .root { counts[parent, default: 0] -= 1 }
    }
}
