/// Keeps the shapes true while states change, at a cost that follows the change: about the depth of an item and the
/// size of its group of names. `merge.md` calls it the incremental view; the result is that of `FullView`, which tests
/// and debug builds compare after every transaction.
public struct ViewMaintenance {
    let storage: any ViewStorage
    let reader: ViewReader
    var dirt = ViewDirt()
    /// Contents that the states which were put have no more; for the caller to keep.
    public private(set) var replaced: [ReplacedHead] = []
    /// Folders that may be shown, or not be shown, as one with others now.
    private var touchedFolders: Set<ItemID> = []
    /// Groups whose folders may have changed, still to be looked at.
    private var queue: [GroupKey] = []
    private var queued: Set<GroupKey> = []

    public init(_ storage: any ViewStorage) {
        self.storage = storage
        reader = ViewReader(storage)
    }

    /// Replaces states, already joined, and adds to the stored dirt what apply must look at.
    public mutating func put(_ states: [ItemState]) throws {
        var moved: [ItemID] = []
        var changed: [ItemID] = []
        var files: [PutFile] = []
        for state in states {
            let old = try storage.item(state.id)
            if let old {
                replaced += old.state.heads(replacedIn: state)
                try touch(old)
            }
            try storage.save(StoredItem(state: state, shape: old?.shape ?? ItemShape()))
            let isMoved = old?.state.placement != state.placement
            if state.kind == .folder {
                changed.append(state.id)
                if isMoved { moved.append(state.id) }
            } else {
                files.append(PutFile(id: state.id, isMoved: isMoved))
            }
            if old == nil { moved += try storage.pendingChildren(of: state.id) }
        }
        try place(moved)
        try decideLife(changed)
        for id in changed { if let item = try storage.item(id) { try touch(item) } }
        try put(files)
        try regroup()
        try nameConflictCopies()
        try flush()
    }

    /// New labels rename conflict copies, wherever there are any.
    public mutating func setLabels(_ labels: DeviceLabels) throws {
        try storage.setLabels(labels)
        for node in try storage.nodesWithDerivedNames() {
            for derived in try storage.derivedNames(in: node) {
                dirt.groups.insert(GroupKey(node: node, name: derived.ownName))
            }
        }
        try nameConflictCopies()
        try flush()
    }

    private mutating func flush() throws {
        guard !dirt.isEmpty else { return }
        try storage.addDirt(dirt)
        dirt = ViewDirt()
    }

    /// The group that the item is in now is to be looked at again.
    mutating func touch(_ item: StoredItem) throws {
        dirt.items.insert(item.id)
        if item.state.kind == .folder { touchedFolders.insert(item.id) }
        guard let parent = item.shape.parent, let node = try reader.node(of: parent) else { return }
        touch(item, in: node)
    }

    /// Only folders are grouped anew.
    private mutating func touch(_ item: StoredItem, in node: ItemID) {
        let key = GroupKey(node: node, name: item.state.name.value)
        dirt.groups.insert(key)
        if item.state.kind == .folder, queued.insert(key).inserted { queue.append(key) }
    }

    mutating func change(_ id: ItemID, _ edit: (inout ItemShape) -> Void) throws {
        // V3: only a change between none and some goes further up. A list, because folders may lie deeper than a stack
        // reaches.
        var counts = try changeAlone(id, edit)
        while let count = counts.popLast() {
            counts += try changeAlone(count.folder) { $0.shownChildren += count.difference }
        }
    }

    /// A folder shows more or fewer items.
    private typealias Count = (folder: ItemID, difference: Int)

    /// Returns what it means to the folders above, the last first.
    private mutating func changeAlone(_ id: ItemID, _ edit: (inout ItemShape) -> Void) throws -> [Count] {
        guard var item = try storage.item(id) else { return [] }
        let before = item
        edit(&item.shape)
        guard item.shape != before.shape else { return [] }
        let isCountOnly =
            before.shape.isShown == item.shape.isShown && before.shape.shownChildren != item.shape.shownChildren
        if !isCountOnly { try touch(before) }
        try storage.save(item)
        if isCountOnly { return [] }
        try touch(item)
        guard before.shape.parent != item.shape.parent || before.shape.isShown != item.shape.isShown else { return [] }
        var counts: [Count] = []
        if item.shape.isShown, let parent = item.shape.parent { counts.append((parent, 1)) }
        if before.shape.isShown, let parent = before.shape.parent { counts.append((parent, -1)) }
        return counts.filter { $0.folder != .root }
    }
}

// V1, V2: effective parents.
extension ViewMaintenance {
    private mutating func place(_ moved: [ItemID]) throws {
        var folders: [ItemID] = []
        for id in moved {
            guard let item = try storage.item(id) else { continue }
            if item.state.kind == .folder { folders.append(id) } else { try hang(id) }
        }
        guard !folders.isEmpty else { return }
        let oldUndone = try storage.undone()
        let newUndone = try latestOfCycles(from: folders + oldUndone.sorted())
        // All at once out of the tree, so that no parent chain is cyclic in between.
        for id in Set(folders).union(oldUndone).union(newUndone) { try change(id) { $0.parent = nil } }
        for id in Set(folders).union(oldUndone).subtracting(newUndone).sorted() { try hang(id) }
        let tags = try Dictionary(
            uniqueKeysWithValues: newUndone.map { ($0, try storage.item($0)!.state.placement.tag) })
        for id in newUndone.sorted(by: { tags[$0]! < tags[$1]! }) {
            let from = try storage.item(id)!.state.placement.value.from
            let parent = try reachesRoot(from) ? from : ItemID.root
            try change(id) { $0.parent = parent }
        }
        if oldUndone != newUndone { try storage.setUndone(newUndone) }
    }

    mutating func hang(_ id: ItemID) throws {
        let parent = try recordedParent(id)
        try change(id) { $0.parent = parent }
    }

    /// V1: nil while unknown; a parent that is no folder counts as the root.
    private func recordedParent(_ id: ItemID) throws -> ItemID? {
        try storage.item(id).flatMap { try parent(of: $0.state) }
    }

    func parent(of state: ItemState) throws -> ItemID? {
        let parent = state.parent
        if parent == .root { return .root }
        guard let folder = try storage.item(parent) else { return nil }
        return folder.state.kind == .folder ? parent : .root
    }

    /// V2: of each cycle of recorded parents that is reached from here the item whose move is the latest. Looks at each
    /// folder once, however deep they lie.
    private func latestOfCycles(from starts: [ItemID]) throws -> Set<ItemID> {
        var result: Set<ItemID> = []
        var seen: Set<ItemID> = []
        for start in starts {
            var path: [ItemID] = []
            var place: ItemID? = start
            while let here = place, here != .root, seen.insert(here).inserted {
                path.append(here)
                place = try recordedParent(here)
            }
            guard let place, let first = path.firstIndex(of: place) else { continue }
            let latest = try path[first...].max {
                try storage.item($0)!.state.placement.tag < storage.item($1)!.state.placement.tag
            }
            result.insert(latest!)
        }
        return result
    }

    private func reachesRoot(_ start: ItemID) throws -> Bool {
        var place = start
        while place != .root {
            guard let item = try storage.item(place), item.state.kind == .folder, let parent = item.shape.parent else {
                return false
            }
            place = parent
        }
        return true
    }
}

// V0: life.
extension ViewMaintenance {
    /// Recomputes life where it may have changed. What hung on the life of something else dies first and is then
    /// revived from what is left, so that a ring of marks does not keep itself alive.
    private mutating func decideLife(_ changed: [ItemID]) throws {
        var affected: Set<ItemID> = []
        var waiting = changed
        var before: [ItemID: Bool] = [:]
        while let id = waiting.popLast() {
            guard affected.insert(id).inserted, let item = try storage.item(id) else { continue }
            before[id] = item.shape.isAlive
            // Only a folder can keep others alive, and only if its own life may change.
            if item.state.kind == .folder { waiting += try storage.items(markedBy: id) }
        }
        var alive: Set<ItemID> = []
        // A mark that names what is no folder, which no honest writer makes, is never void.
        var folders: Set<ItemID> = []
        // Each once, and once more after folders came to life that it was deleted with: not all of them again for each of those.
        var line = Array(affected)
        var inLine = affected
        var place = 0
        while place < line.count {
            let id = line[place]
            place += 1
            inLine.remove(id)
            guard !alive.contains(id), let item = try storage.item(id) else { continue }
            let lives = try item.state.life.contains { dot in
                try !dot.mark.holds { folder in
                    affected.contains(folder) ? folders.contains(folder) : try reader.isAlive(folder)
                }
            }
            guard lives else { continue }
            alive.insert(id)
            guard item.state.kind == .folder else { continue }
            folders.insert(id)
            for other in try storage.items(markedBy: id) {
                if !alive.contains(other), inLine.insert(other).inserted { line.append(other) }
            }
        }
        for id in affected.sorted() where before[id] != alive.contains(id) {
            try change(id) { $0.isAlive = alive.contains(id) }
            // Heads that were deleted with this folder are gone, or not, by its life.
            for other in try storage.items(markedBy: id) { if let item = try storage.item(other) { try touch(item) } }
        }
    }
}

// V5: nodes, top down; V8: names of conflict copies.
extension ViewMaintenance {
    private mutating func regroup() throws {
        for id in touchedFolders.sorted() {
            guard let item = try storage.item(id), item.shape.node != nil else { continue }
            if try reader.group(of: id) == nil { try setNode(id, nil) }
        }
        var place = 0
        while place < queue.count {
            let key = queue[place]
            place += 1
            queued.remove(key)
            let folders = try reader.shownItems(key).filter { $0.state.kind == .folder }
            guard let first = folders.min(by: { ($0.shape.isAlive ? 0 : 1, $0.id) < ($1.shape.isAlive ? 0 : 1, $1.id) })
            else { continue }
            for folder in folders where folder.shape.node != first.id { try setNode(folder.id, first.id) }
        }
        queue.removeAll()
        touchedFolders.removeAll()
    }

    private mutating func setNode(_ folder: ItemID, _ node: ItemID?) throws {
        var left: [ItemID] = []
        try setNode(folder, node, left: &left)
        // What was in it has no node either; a list, because folders may lie deeper than a stack reaches.
        while let folder = left.popLast() { try setNode(folder, nil, left: &left) }
    }

    private mutating func setNode(_ folder: ItemID, _ node: ItemID?, left: inout [ItemID]) throws {
        guard var item = try storage.item(folder), item.shape.node != node else { return }
        let old = item.shape.node
        item.shape.node = node
        try storage.save(item)
        dirt.items.insert(folder)
        if let old { try leave(old, folder) }
        for child in try storage.children(of: folder, named: nil) where child.shape.isShown {
            dirt.items.insert(child.id)
            if let old { touch(child, in: old) }
            if let node {
                touch(child, in: node)
            } else if child.state.kind == .folder {
                left.append(child.id)
            }
        }
    }

    /// The folder was shown as one with others: what is in those may still be in this one's place on the disk.
    private mutating func leave(_ node: ItemID, _ folder: ItemID) throws {
        for member in try storage.members(ofNode: node) where member != folder {
            for child in try storage.children(of: member, named: nil) where child.shape.isShown {
                dirt.items.insert(child.id)
            }
        }
    }

    private mutating func nameConflictCopies() throws {
        let labels = try storage.labels()
        let byNode = Dictionary(grouping: dirt.groups, by: \.node)
        for node in byNode.keys.sorted() {
            let names = ConflictCopyNames(node: node, reader: reader, labels: labels)
            let (old, new) = try names.change(in: Set(byNode[node]!.map(\.name)))
            for name in old.symmetricDifference(new) {
                dirt.groups.insert(GroupKey(node: node, name: name.ownName))
            }
            try storage.changeDerivedNames(
                in: node, removing: old.subtracting(new).sorted(), adding: new.subtracting(old).sorted())
        }
    }
}
