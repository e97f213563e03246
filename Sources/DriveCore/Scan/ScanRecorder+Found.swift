// Found again.
extension ScanRecorder {
    mutating func found(folder row: Row, _ sighting: Sighting, in folder: Row) throws {
        if sighting.isOnItsWay { return }
        var row = row
        let changed = row.facts.changed
        row.facts = sighting.facts
        // Not read this time: the change time of before makes the next scan look again.
        if sighting.attributes == nil { row.facts.changed = changed }
        row.isHeld = false
        if row.isElsewhere(than: sighting.name, in: folder.id) {
            try remember(row)
            for member in row.members {
                var change = changes[member.item] ?? ItemChange()
                change.seen.formUnion(row.lifeSeen[member.item] ?? [])
                // It was shown only because of what is in it: that is kept, the folder stays dead.
                if row.rescued.contains(member.item) { lifted.append(member.item) } else { change.keeps = true }
                if row.name != sighting.name { change.name = sighting.name }
                if row.parent != folder.id {
                    change.parent = folder.primary.item
                    movesFolder = true
                }
                changes[member.item] = change
                successors.append(Successor(row: row.id, item: member.item, isContent: false))
            }
            row.parent = folder.id
            row.name = sighting.name
        }
        let attributes = attributes(of: sighting, row)
        if attributes.extended != row.attributes.extended {
            try remember(row)
            changes[row.primary.item, default: ItemChange()].attributes.merge(
                attributes.differences(from: row.attributes, kind: .folder)
            ) { $1 }
            row.attributes = attributes
        }
        try save(row)
    }

    /// By its inode it is known what it is, not what it holds: it is where it is now with what it held, and as the row goes on to
    /// tell of an earlier state of the file, the next scan reads it. Where it was there may be something else.
    mutating func found(unread row: Row, _ seen: Sighting, in folder: Row) throws {
        guard row.isElsewhere(than: seen.name, in: folder.id) else { return }
        var sighting = seen
        (sighting.facts, sighting.content, sighting.attributes) = (row.facts, nil, nil)
        try found(file: row, sighting, in: folder)
    }

    mutating func found(file old: Row, _ seen: Sighting, in folder: Row) throws {
        var (row, sighting) = (old, seen)
        row.facts = sighting.facts
        row.isHeld = false
        row.placedInBoot = row.facts.identity == old.facts.identity ? old.placedInBoot : nil
        let isMoved = row.isElsewhere(than: sighting.name, in: folder.id)
        var isEdited = sighting.content.map { $0.hash != row.hash } ?? false
        // What the disk made of a date is nobody's change; an edit has a date of its own.
        if !isEdited, let modified = sighting.attributes?.modified, old.isOwnDate(modified) {
            sighting.attributes?.modified = old.attributes.modified
        }
        let attributes = attributes(of: sighting, row)
        if !isEdited, sighting.isOfferedAgain, let content = sighting.content { storeAgain(content, of: row) }
        if isEdited, !isMoved, let content = sighting.content,
            let entry = try reader.agreeing(with: row, in: folder, content)
        {
            row.hash = content.hash
            row.attributes.modified = attributes.modified
            try row.stand(for: entry, try tables.free(entry.members, for: row), tables)
            isEdited = false
        }
        let differences = attributes.differences(from: row.attributes, kind: row.kind, isEdited: isEdited)
        if isEdited || isMoved || !differences.isEmpty {
            try remember(old)
            try change(&row, sighting, in: folder, isMoved: isMoved, isEdited: isEdited, differences)
        }
        row.attributes = attributes
        if let hash = sighting.content?.hash { row.hash = hash }
        try save(row)
    }

    /// Where the file system keeps no extended attributes, nobody can have changed them.
    private func attributes(of sighting: Sighting, _ row: Row) -> Attributes {
        guard var attributes = sighting.attributes else { return row.attributes }
        if !keepsExtendedAttributes { attributes.extended = row.attributes.extended }
        return attributes
    }

    /// No edit: the heads that the file shows stay what they are, and only their bytes lie elsewhere.
    private mutating func storeAgain(_ content: Content, of row: Row) {
        for member in row.members {
            for dot in member.dots { changes[member.item, default: ItemChange()].storedAgain[dot] = content.body }
        }
    }

    private mutating func change(
        _ row: inout Row, _ sighting: Sighting, in folder: Row, isMoved: Bool, isEdited: Bool,
        _ differences: [AttributeKey: [UInt8]]
    ) throws {
        let primary = row.primary
        // Who tags or touches a copy means the file that it is, by the name that it has here. Other bytes alone leave it what
        // it is: equal ones would make both one file.
        let isNamed = isMoved || primary.isMain && row.isDerived && !isEdited
        if primary.isMain, !isNamed, !isEdited {
            changes[primary.item, default: ItemChange()].attributes.merge(differences) { $1 }
            return
        }
        let item =
            primary.isMain
            ? primary.item : ItemID.promotedCopy(of: primary.item, dot: primary.dots.min() ?? primary.dots[0])
        var change = changes[item] ?? ItemChange()
        if !primary.isMain { try promote(row, sighting, in: folder, into: &change) }
        change.keeps = true
        change.seen.formUnion(row.lifeSeen[item] ?? [])
        if isNamed {
            if row.name != sighting.name || row.isDerived { change.name = sighting.name }
            if row.parent != folder.id || row.isDerived { change.parent = folder.primary.item }
            row.parent = folder.id
            row.name = sighting.name
            row.isDerived = false
        }
        if isEdited {
            guard change.content == nil || !primary.isMain else {
                throw DriveError(.internalFault, "two files stand for one item", path: "\(sighting.name)")
            }
            change.content = sighting.content
            change.content?.was = row.replaceable
            if primary.isMain { change.dropped.formUnion(primary.dots) }
        }
        if primary.isMain { change.attributes.merge(differences) { $1 } }
        changes[item] = change
        if !primary.isMain { changes[primary.item, default: ItemChange()].promoted.formUnion(primary.dots) }
        // Other items with equal bytes were this file too: they end with it.
        for member in primary.isMain ? Array(row.members.dropFirst()) : row.members {
            drop(member, of: row, cause: nil, isFolder: false)
        }
        row.members = [Member(item: item, dots: primary.isMain ? primary.dots : [])]
        successors.append(Successor(row: row.id, item: item, isContent: isEdited || !primary.isMain))
    }

    /// A derived copy that is touched becomes an item of its own, under the name that it was shown by or has now.
    private func promote(_ row: Row, _ sighting: Sighting, in folder: Row, into change: inout ItemChange) throws {
        change.created = row.kind
        change.name = sighting.name
        change.parent = folder.primary.item
        let attributes = attributes(of: sighting, row)
        change.attributes = attributes.registers(of: row.kind)
        let shown = try tables.item(row.primary.item)?.state.heads.first { row.primary.dots.contains($0.dot) }
        change.content = shown?.content
        if let modified = attributes.modified { change.content?.modified = modified }
        if sighting.isOfferedAgain, let content = sighting.content { change.content?.body = content.body }
        guard change.content != nil || sighting.content != nil else {
            throw DriveError(.internalFault, "a conflict copy has no content", path: "\(sighting.name)")
        }
        if change.content == nil { change.content = sighting.content }
    }
}

extension Row {
    /// What an edit of this file replaces: the record that it shows, where it is one.
    fileprivate var replaceable: Content.Predecessor? {
        if primary.dots.count == 1 { return Content.Predecessor(primary.dots[0]) }
        return hash.map { Content.Predecessor($0) }
    }
}
