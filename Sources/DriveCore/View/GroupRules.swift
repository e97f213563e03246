extension ItemState {
    /// V4: the heads that are shown, main head first.
    func visibleHeads(isAlive: (ItemID) throws -> Bool) rethrows -> [Head] {
        var shown = heads
        if heads.contains(where: { !$0.mark.isEmpty }) {
            shown = try heads.filter { try !$0.mark.holds(isAlive: isAlive) }
            if shown.isEmpty { shown = heads.filter { !$0.mark.bySelf } }
            if shown.isEmpty { shown = heads }
        }
        if shown.count > 1 { shown.sort { ($0.time, $0.dot) > ($1.time, $1.dot) } }
        return shown
    }

    /// V9, with the time of the content unless a later attribute says otherwise: of the main content, which people mean who date
    /// the file.
    package func shownAttributes(head: Head?, isMain: Bool = true) -> Attributes {
        var result = Attributes(isExecutable: attributes[.executable]?.value == [1])
        if let head {
            result.modified = head.content.modified
            if isMain, let own = attributes[.modified], own.tag > Tag(time: head.time, dot: head.dot),
                let time = FileTime(attributeBytes: own.value)
            {
                result.modified = time
            }
        }
        for key in AttributeKey.extendedAttributes {
            if let value = attributes[key]?.value, !value.isEmpty { result.extended[key] = value }
        }
        return result
    }
}

extension Mark {
    /// Deleted, and not void: a mark is void where every folder that it names is alive.
    func holds(isAlive: (ItemID) throws -> Bool) rethrows -> Bool {
        if isEmpty { return false }
        if bySelf { return true }
        return try !folders.allSatisfy(isAlive)
    }
}

/// V5 to V7 for the items of one name in one node, all of them shown. The folder comes first if there is one; every
/// entry but the first is derived and still has to be given its name.
func groupEntries(
    _ key: GroupKey, _ items: [StoredItem], isAlive: (ItemID) throws -> Bool
) rethrows -> [ViewEntry] {
    var entries: [ViewEntry] = []
    let folders = items.filter { $0.state.kind == .folder }.sorted {
        ($0.shape.isAlive ? 0 : 1, $0.id) < ($1.shape.isAlive ? 0 : 1, $1.id)
    }
    if let first = folders.first {
        entries.append(
            ViewEntry(
                node: key.node, name: key.name, kind: .folder, members: folders.map { Member(item: $0.id) },
                attributes: first.state.shownAttributes(head: nil)))
    }
    var files = items.filter { $0.state.kind.hasContent }
    if files.count > 1 { files.sort { ($0.state.claim, $0.id) < ($1.state.claim, $1.id) } }
    let firstFile = entries.count
    var places: [ShownContent: Int] = [:]
    for file in files {
        for (place, head) in try file.state.visibleHeads(isAlive: isAlive).enumerated() {
            let content = ShownContent(kind: file.state.kind, hash: head.content.hash)
            if let equal = places[content] {
                entries[equal].add(file, head, isMain: place == 0)
            } else {
                var entry = ViewEntry(
                    node: key.node, name: key.name, kind: file.state.kind,
                    members: [Member(item: file.id, dots: [head.dot], isMain: place == 0)], content: head.content)
                entry.attributes = file.state.shownAttributes(head: head, isMain: place == 0)
                if files.count > 1 || file.state.heads.count > 1 { places[content] = entries.count }
                entries.append(entry)
            }
        }
    }
    for place in firstFile..<entries.count where entries[place].members.count > 1 {
        entries[place].putMainMembersFirst(files)
    }
    for place in entries.indices.dropFirst() { entries[place].isDerived = true }
    return entries
}

/// What makes two contents of one name the same entry.
private struct ShownContent: Hashable {
    var kind: ItemKind
    var hash: ContentHash
}

extension ViewEntry {
    fileprivate mutating func add(_ file: StoredItem, _ head: Head, isMain: Bool) {
        if let place = members.firstIndex(where: { $0.item == file.id }) {
            members[place].dots = (members[place].dots + [head.dot]).sorted()
            members[place].isMain = members[place].isMain || isMain
        } else {
            members.append(Member(item: file.id, dots: [head.dot], isMain: isMain))
        }
    }

    fileprivate mutating func putMainMembersFirst(_ files: [StoredItem]) {
        members = members.filter(\.isMain) + members.filter { !$0.isMain }
        guard let state = files.first(where: { $0.id == primary.item })?.state else { return }
        let heads = state.heads.filter { primary.dots.contains($0.dot) }
        if let head = heads.max(by: { ($0.time, $0.dot) < ($1.time, $1.dot) }) {
            content = head.content
            attributes = state.shownAttributes(head: head, isMain: primary.isMain)
        }
    }

    /// V8: whose label and time a derived name bears: the claim's for a collision of names, the head's for a second
    /// content.
    func namingTag(_ state: ItemState) -> Tag {
        if primary.isMain { return state.claim }
        let tags = primary.dots.compactMap { dot in state.head(dot).map { Tag(time: $0.time, dot: dot) } }
        return tags.max() ?? state.claim
    }
}
