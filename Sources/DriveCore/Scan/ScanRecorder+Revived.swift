// A file of which all contents were deleted, and that somebody moved or kept meanwhile.
extension ScanRecorder {
    /// All its contents are shown, since none is left that nobody has deleted (V4). Whoever ends one of them here sees the others
    /// and leaves them: the first is written anew, as nobody has deleted it, the others become items of their own. Their marks
    /// would hide them else, and the file would go with the one that was ended.
    mutating func keepRevived() throws {
        // A first scan makes all of them: what is left is sorted, not what goes.
        let known = changes.lazy.filter { $0.value.created == nil }.sorted { $0.key < $1.key }
        for (id, change) in known {
            let touched = change.dropped.union(change.promoted)
            guard change.content != nil || !touched.isEmpty, let item = try tables.item(id)?.state,
                item.kind.hasContent, item.heads.count > 1,
                try item.heads.allSatisfy({ try $0.mark.holds(isAlive: reader.isAlive) })
            else { continue }
            var left = try item.visibleHeads(isAlive: reader.isAlive).filter { !touched.contains($0.dot) }
            guard let first = left.first else { continue }
            if change.content == nil {
                left.removeFirst()
                try writeAnew(first, of: id)
            }
            for head in left { try separate(head, of: item) }
        }
    }

    private mutating func writeAnew(_ head: Head, of id: ItemID) throws {
        changes[id]?.content = head.content
        changes[id]?.keeps = true
        guard let row = try row(showing: head.dot, of: id) else { return }
        if let modified = row.attributes.modified { changes[id]?.content?.modified = modified }
        changes[id]?.seen.formUnion(row.lifeSeen[id] ?? [])
        successors.append(Successor(row: row.id, item: id, isContent: true))
    }

    private mutating func separate(_ head: Head, of item: ItemState) throws {
        let id = ItemID.promotedCopy(of: item.id, dot: head.dot)
        guard try changes[id] == nil && tables.item(id) == nil else { return }
        var change = ItemChange()
        change.created = item.kind
        change.content = head.content
        change.keeps = true
        (change.name, change.parent) = (item.name.value, item.parent)
        if var row = try row(showing: head.dot, of: item.id), let folder = try tables.row(row.parent) {
            try remember(row)
            (change.name, change.parent) = (row.name, folder.primary.item)
            change.attributes = row.attributes.registers(of: row.kind)
            if let modified = row.attributes.modified { change.content?.modified = modified }
            row.members = [Member(item: id)]
            row.isDerived = false
            successors.append(Successor(row: row.id, item: id, isContent: true))
            try save(row)
        }
        changes[id] = change
    }

    private func row(showing dot: Dot, of id: ItemID) throws -> Row? {
        try tables.rows(holding: id).first { $0.member(id)?.dots.contains(dot) == true }
    }
}
