import DriveCore

/// What a look at one entry of a tree shows.
public enum TreeEntry: Hashable, Sendable {
    case file([UInt8])
    case link([UInt8])
    case folder
    case other
}

/// One entry that a walk met.
public struct WalkedEntry: Sendable {
    public var place: Place
    /// The entry's own number.
    public var number: Int
    public var kind: FileFacts.Kind
    /// 1 for what lies directly in the root.
    public var depth: Int

    public var isFolder: Bool { kind == .folder }
    /// Files and links.
    public var hasContent: Bool { kind == .file || kind == .link }
}

extension MemoryFolder {
    /// All entries beneath the folder, parents first, siblings by name.
    public func walk(from folder: Int = root) -> [WalkedEntry] {
        var result: [WalkedEntry] = []
        var waiting: [(MemoryNode, Int)] = folderNode(folder).map { [($0, 1)] } ?? []
        var next = 0
        while next < waiting.count {
            let (node, depth) = waiting[next]
            next += 1
            for entry in node.entries.all {
                let child = entry.node
                result.append(
                    WalkedEntry(
                        place: Place(folder: node.number, name: entry.name), number: child.number, kind: child.kind,
                        depth: depth))
                if child.kind == .folder { waiting.append((child, depth + 1)) }
            }
        }
        return result
    }

    public func entry(at place: Place) -> TreeEntry? { entry(place.name, in: place.folder).map(treeEntry) }

    public func number(at place: Place) -> Int? { entry(place.name, in: place.folder)?.number }

    /// The bytes of a file or the target of a link.
    public func content(of number: Int) -> [UInt8]? {
        guard number > 0, number < nodes.count, let node = nodes[number], node.kind == .file || node.kind == .link
        else { return nil }
        return node.bytes
    }

    public func facts(at place: Place) -> FileFacts? { entry(place.name, in: place.folder).map(facts(of:)) }

    public func isExecutable(at place: Place) -> Bool { entry(place.name, in: place.folder)?.isExecutable ?? false }

    public func extended(_ name: String, at place: Place) -> [UInt8]? {
        entry(place.name, in: place.folder)?.extended[name]
    }

    /// Whether any file has several names (hard links).
    public var hasSeveralNames: Bool { nodes.contains { $0.map { $0.links > 1 } ?? false } }

    /// Whether the folder is, or lies in, `ancestor`.
    public func isInside(_ number: Int, _ ancestor: Int) -> Bool {
        guard number < nodes.count, ancestor < nodes.count, let node = nodes[number], let above = nodes[ancestor] else {
            return false
        }
        return isInside(node, above)
    }

    public func path(of place: Place) -> DrivePath {
        var names = [place.name]
        var folder = folderNode(place.folder)
        while let here = folder, here.parent != 0 {
            names.append(here.name)
            folder = folderNode(here.parent)
        }
        return DrivePath(names.reversed())
    }

    /// The whole tree of an area, by path.
    public func tree(of area: FileArea = .root) -> [DrivePath: TreeEntry] {
        var result: [DrivePath: TreeEntry] = [:]
        guard let node = folderNode(area.number) else { return result }
        collect(node, DrivePath.root, into: &result)
        return result
    }

    /// What devices carry of every file's and folder's attributes, by path.
    public func attributes(of area: FileArea = .root) -> [DrivePath: Attributes] {
        var result: [DrivePath: Attributes] = [:]
        for entry in walk(from: area.number) where entry.kind == .file || entry.isFolder {
            guard let node = nodes[entry.number] else { continue }
            let isFile = entry.kind == .file
            result[path(of: entry.place)] = Attributes(
                isExecutable: isFile && node.isExecutable, modified: isFile ? node.modified : nil,
                extended: carriedAttributes(of: node))
        }
        return result
    }

    /// The contents of all files and links in an area.
    public func contents(of area: FileArea) -> [[UInt8]] {
        walk(from: area.number).compactMap { $0.hasContent ? content(of: $0.number) : nil }
    }

    /// What the trash keeps for people: not what conflicts that stand come from.
    public func trashContents() -> [[UInt8]] {
        walk(from: FileArea.trash.number)
            .filter { $0.hasContent && !$0.place.name.bytes.starts(with: Array("ancestor-".utf8)) }
            .compactMap { content(of: $0.number) }
    }

    private func collect(_ folder: MemoryNode, _ path: DrivePath, into result: inout [DrivePath: TreeEntry]) {
        for child in folder.entries.all {
            let childPath = path.appending(child.name)
            result[childPath] = treeEntry(child.node)
            if child.node.kind == .folder { collect(child.node, childPath, into: &result) }
        }
    }

    private func treeEntry(_ node: MemoryNode) -> TreeEntry {
        switch node.kind {
        case .file: .file(node.bytes)
        case .link: .link(node.bytes)
        case .folder: .folder
        case .other: .other
        }
    }
}
