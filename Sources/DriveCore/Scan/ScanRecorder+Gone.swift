// Gone.
extension ScanRecorder {
    mutating func disappeared(_ row: Row) throws {
        try remember(row)
        let folder = row.isParked || !vanished.contains(row.parent) ? nil : try tables.row(row.parent)
        for member in row.members {
            let cause = try folder.map { try self.cause(of: member.item, in: $0) }
            drop(member, of: row, cause: cause, isFolder: row.kind == .folder)
        }
    }

    mutating func drop(_ member: Member, of row: Row, cause: ItemID?, isFolder: Bool) {
        guard member.item != .root else { return }
        var change = changes[member.item] ?? ItemChange()
        if let cause { change.causes.insert(cause) } else { change.isDeletedBySelf = true }
        change.dropped.formUnion(member.dots)
        change.seen.formUnion(row.lifeSeen[member.item] ?? [])
        if isFolder { change.isFolderDeleted = true }
        changes[member.item] = change
    }

    /// S7: the nearest vanished folder above that was not itself dead when it was shown; if all were, the parent.
    private func cause(of item: ItemID, in folder: Row) throws -> ItemID {
        var place = item
        var nearest: ItemID?
        var row: Row? = folder
        while let above = row {
            let parent = try tables.item(place)?.state.parent
            place = parent.flatMap { above.member($0)?.item } ?? above.primary.item
            if nearest == nil { nearest = place }
            if !above.rescued.contains(place) { return place }
            row = above.isParked || !vanished.contains(above.parent) ? nil : try tables.row(above.parent)
        }
        return nearest ?? folder.primary.item
    }
}

// S8 and lift.
extension ScanRecorder {
    /// A cycle is shown broken: a group with a move makes what is shown real, or moving one partner would silently
    /// redo the undone move of the other.
    mutating func pin() throws {
        for item in try tables.undone() where changes[item] == nil {
            if let parent = try tables.item(item)?.shape.parent { changes[item] = ItemChange(parent: parent) }
        }
    }

    /// What lives in a folder that is shown only for its sake is kept against deletes that did not see the rename.
    mutating func lift(_ folder: ItemID) throws {
        var waiting = try tables.rows(holding: folder).filter { $0.kind == .folder }
        while let above = waiting.popLast() {
            let isLifted = above.member(folder) != nil
            for row in try tables.children(of: above.id) {
                for member in row.members { try keep(member, of: row, in: above, lifting: isLifted ? folder : nil) }
                if row.kind == .folder, row.members.allSatisfy({ row.rescued.contains($0.item) }) {
                    waiting.append(row)
                }
            }
        }
    }

    private mutating func keep(_ member: Member, of row: Row, in above: Row, lifting folder: ItemID?) throws {
        guard member.item != .root, !row.rescued.contains(member.item), member.isMain || row.kind == .folder,
            let item = try tables.item(member.item), changes[member.item]?.keeps != true
        else { return }
        // In a merged folder only what hangs in the lifted member, or in none of those shown.
        if let folder, item.state.parent != folder, above.member(item.state.parent) != nil { return }
        changes[member.item, default: ItemChange()].keeps = true
        changes[member.item]!.seen.formUnion(row.lifeSeen[member.item] ?? [])
        successors.append(Successor(row: row.id, item: member.item, isContent: false))
    }
}
