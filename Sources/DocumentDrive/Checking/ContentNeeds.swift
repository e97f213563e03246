import DriveCore

/// Which contents somebody may ask for.
struct ContentNeeds {
    /// Those of the files that are shown.
    private(set) var contents: Set<Content> = []
    /// Those that only deleted and replaced files had: they may have left the store.
    private(set) var kept: Set<Content> = []

    init(_ known: KnownStates) throws {
        try known.graph().eachFolder(labels: known.labels, state: known.state) { _, entries in
            contents.formUnion(entries.compactMap(\.content))
        }
        try known.each { state in
            for head in state.heads where !contents.contains(head.content) { kept.insert(head.content) }
        }
        kept.formUnion(known.past.filter { !contents.contains($0) })
    }
}

/// Where some contents are shown; nothing for one that only a deleted or replaced file had.
struct ShownPaths {
    private var paths: [ContentHash: [DrivePath]] = [:]

    init(of contents: Set<ContentHash>, _ known: KnownStates) throws {
        // There is hardly ever any.
        if contents.isEmpty { return }
        var folders: [ItemID: DrivePath] = [.root: .root]
        try known.graph().eachFolder(labels: known.labels, state: known.state) { node, entries in
            let folder = folders.removeValue(forKey: node) ?? .root
            for entry in entries {
                let place = folder.appending(entry.name)
                if entry.kind == .folder { folders[entry.primary.item] = place }
                guard let hash = entry.content?.hash, contents.contains(hash) else { continue }
                paths[hash, default: []].append(place)
            }
        }
    }

    subscript(hash: ContentHash) -> [DrivePath]? { paths[hash] }
}
