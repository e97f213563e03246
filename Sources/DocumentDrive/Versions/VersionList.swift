import DriveCore
import FileCoordination

/// Gathers what is known of a file's contents: rows, records, past versions, trash.
struct VersionList {
    private let state: any DriveState
    private let labels: DeviceLabels

    init(_ state: any DriveState) throws {
        self.state = state
        labels = try state.labels()
    }

    func versions(of path: DrivePath) throws -> [FileVersion] {
        let row = try state.row(at: path)
        var found: [FileVersion] = []
        if let row, let hash = row.hash { found.append(try version(of: row, hash, path)) }
        var items = Set(row?.members.map(\.item) ?? [])
        items.formUnion(try itemsNamed(path))
        for item in items.sorted() { found += try versions(of: item, at: path) }
        found += try trashed(at: path)
        return Self.merged(found)
    }

    func deleted(in folder: DrivePath) throws -> [FileVersion] {
        var paths = Set(try state.trash().filter { $0.reason != .ancestor && $0.path.isInside(folder) }.map(\.path))
        var waiting = try itemsNamed(folder).map { (folder, $0) }
        if folder.isRoot { waiting = [(folder, .root)] }
        while let (path, id) = waiting.popLast() {
            guard try id == .root || state.item(id)?.state.kind == .folder else {
                paths.insert(path)
                continue
            }
            for child in try state.children(of: id, named: nil) {
                waiting.append((path.appending(child.state.name.value), child.id))
            }
        }
        return try paths.sorted().compactMap { path in
            guard try state.row(at: path) == nil else { return nil }
            return try versions(of: path).first
        }
    }

    private func version(of row: Row, _ hash: ContentHash, _ path: DrivePath) throws -> FileVersion {
        let dot = row.members.first?.dots.first
        let head = try row.members.first.flatMap { member in
            try dot.flatMap { try state.item(member.item)?.state.head($0) }
        }
        return FileVersion(
            path: path, content: hash, size: row.facts.size, modificationDate: row.facts.modified,
            deviceName: head.map { labels.text($0.dot) }, recorded: head?.time.milliseconds, kind: .current,
            place: .folder)
    }

    /// Items that bear the path's names, dead ones and their folders included.
    private func itemsNamed(_ path: DrivePath) throws -> [ItemID] {
        var items: Set<ItemID> = [.root]
        for name in path.components {
            items = Set(try items.flatMap { try state.children(of: $0, named: name) }.map(\.id))
            if items.isEmpty { break }
        }
        return path.isRoot ? [] : items.sorted()
    }

    private func versions(of item: ItemID, at path: DrivePath) throws -> [FileVersion] {
        guard let stored = try state.item(item), stored.state.kind.hasContent else { return [] }
        var result = try state.pastVersions(of: item).map { past in
            version(past.head, at: path, .past, replaced: past.until)
        }
        let rows = try state.rows(holding: item)
        for head in stored.state.heads {
            let isHere = rows.contains { !$0.isDerived && $0.hash == head.content.hash }
            if isHere { continue }
            let isCopy = rows.contains { $0.isDerived && $0.hash == head.content.hash }
            result.append(version(head, at: path, isCopy ? .conflict : stored.shape.isAlive ? .past : .deleted))
        }
        return result
    }

    private func version(
        _ head: Head, at path: DrivePath, _ kind: FileVersion.Kind, replaced: UInt64? = nil
    ) -> FileVersion {
        FileVersion(
            path: path, content: head.content.hash, size: head.content.size, modificationDate: head.content.modified,
            deviceName: labels.text(head.dot), recorded: head.time.milliseconds, replaced: replaced, kind: kind,
            place: kind == .conflict ? .folder : .store)
    }

    private func trashed(at path: DrivePath) throws -> [FileVersion] {
        try state.trash().compactMap { entry in
            guard entry.path == path, let hash = entry.hash, entry.reason != .ancestor else { return nil }
            let time = FileTime(seconds: Int64(entry.time / 1000))
            return FileVersion(
                path: path, content: hash, size: entry.size, modificationDate: time, replaced: entry.time,
                kind: entry.reason == .deleted ? .deleted : .past, place: .trash)
        }
    }

    /// One for each content, with all that is known of it.
    private static func merged(_ found: [FileVersion]) -> [FileVersion] {
        var result: [ContentHash: FileVersion] = [:]
        for version in found {
            guard var known = result[version.content] else {
                result[version.content] = version
                continue
            }
            if known.recorded == nil {
                known.recorded = version.recorded
                known.deviceName = version.deviceName
                if version.recorded != nil { known.modificationDate = version.modificationDate }
            }
            known.replaced = known.kind == .current ? nil : max(known.replaced ?? 0, version.replaced ?? 0)
            if known.replaced == 0 { known.replaced = nil }
            if known.place == .store { known.place = version.place }
            result[version.content] = known
        }
        return result.values.sorted { $0.order > $1.order }
    }
}

extension FileVersion {
    /// The one in force, then conflicts, then the newest.
    fileprivate var order: (Int, UInt64, ContentHash) {
        let rank = kind == .current ? 2 : kind == .conflict ? 1 : 0
        return (rank, replaced ?? recorded ?? 0, content)
    }
}
