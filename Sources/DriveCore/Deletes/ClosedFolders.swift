/// What folders gave their group and everybody that syncing or an act has removed here and that were not open to all: should
/// they come back, they are to be closed as they were. No record tells of that, for permissions stay those of the device, and no
/// row does.
///
/// Whoever restores a file makes its folder anew, as another item: only its path tells that it is the same, from whichever folder
/// above it is still there, since those that are further up may have been renamed. So a note holds for what comes to the path for as
/// long as something of the folder can come back, and not for what has the name much later.
package struct ClosedFolders {
    private let state: any DriveState
    private let beside: (any ClosedFolderNotes)?

    /// What lies beside the state outlasts that.
    package init(_ state: any DriveState, beside: (any ClosedFolderNotes)? = nil) {
        self.state = state
        self.beside = beside
    }

    /// What was in it is kept by the store and in trashes, and longer where a device is away, until that counts as gone.
    package static let kept = CollectionRule().age + CollectionRule().patience

    /// Nil where the last one at the path was open, where nobody has removed one here, and where that was so long ago that nothing of
    /// it comes back.
    package func permissions(at path: DrivePath) throws -> UInt16? {
        let kept = try beside?.notes() ?? [:]
        guard try hasNotes || !kept.isEmpty else { return try permissions(Self.key(path), kept) }
        for (folder, rest) in try ways(to: path) {
            for member in folder.members {
                if let found = try permissions(Self.key(rest, from: member.item), kept) { return found }
            }
        }
        return try permissions(Self.key(path), kept)
    }

    /// With what is to be taken for them where that cannot be told.
    package func permissions(at path: DrivePath, orElse other: UInt16) -> UInt16? {
        do { return try permissions(at: path) } catch { return other }
    }

    private func permissions(_ key: String, _ kept: [String: ClosedFolderNote]) throws -> UInt16? {
        guard let note = try newest(key, kept), let permissions = note.permissions else { return nil }
        return note.isOver(at: try state.seenTime()?.now) ? nil : permissions
    }

    /// What lies beside the state was there before: it is newer, but where an earlier program has worked here, which had nothing there.
    private func newest(_ key: String, _ kept: [String: ClosedFolderNote]) throws -> ClosedFolderNote? {
        let own = try state.setting(key).flatMap { ClosedFolderNote($0) }
        guard let beside = kept[key] else { return own }
        if let own, let since = own.since, since > beside.since ?? 0 { return own }
        return beside
    }

    /// Before they are removed: returns when what lies beside the state has it and would survive a power cut. A note of one that stays
    /// after all does no harm: it gives nobody access, and another one is made when that folder goes. Where nothing can be noted beside
    /// it, the state alone has it: that is no reason to stop.
    package func keep(_ folders: [(path: DrivePath, permissions: UInt16)]) throws {
        guard let beside, !folders.isEmpty, let kept = try? beside.notes() else { return }
        let now = try state.seenTime()?.now
        var notes: [String: ClosedFolderNote] = [:]
        for (path, permissions) in folders {
            let note = Self.note(permissions, now)
            // Of one that was always open there is nothing to take back.
            if note.permissions == nil, kept.isEmpty { continue }
            for key in try keys(path) where kept[key] != note {
                if note.permissions != nil || kept[key]?.permissions != nil { notes[key] = note }
            }
        }
        if !notes.isEmpty { try? beside.add(notes, now: now) }
    }

    /// Within the caller's transaction, while the folders above it are known.
    package func note(_ permissions: UInt16, at path: DrivePath) throws {
        let note = Self.note(permissions, try state.seenTime()?.now)
        let isOpen = note.permissions == nil
        if isOpen, try !hasNotes { return try state.setSetting(nil, Self.key(path)) }
        for key in try keys(path) { try state.setSetting(note.bytes, key) }
        if try !isOpen && !hasNotes { try state.setSetting([1], Self.notesKey) }
    }

    private static func note(_ permissions: UInt16, _ now: UInt64?) -> ClosedFolderNote {
        let isOpen = permissions & openToAll == openToAll
        return ClosedFolderNote(permissions: isOpen ? nil : permissions, since: now)
    }

    private func keys(_ path: DrivePath) throws -> [String] {
        try [Self.key(path)] + ways(to: path).map { folder, rest in Self.key(rest, from: folder.primary.item) }
    }

    /// The folders above it, the nearest first, and the way from each.
    private func ways(to path: DrivePath) throws -> [(folder: Row, rest: DrivePath)] {
        var ways: [(Row, DrivePath)] = []
        var above = RowID.root
        for (depth, name) in path.components.dropLast().enumerated() {
            guard let row = try state.child(of: above, named: name), row.kind == .folder else { break }
            ways.append((row, DrivePath(Array(path.components.dropFirst(depth + 1)))))
            above = row.id
        }
        return ways.reversed()
    }

    /// Its group and everybody may list and enter it.
    private static let openToAll: UInt16 = 0o055

    /// There may be some that have more than a path.
    private static let notesKey = "closed-folders"
    private var hasNotes: Bool { get throws { try state.setting(Self.notesKey) != nil } }

    /// Of any path, which need not be text.
    private static func key(_ path: DrivePath) -> String { "closed-folder \(ContentHasher.hash(of: path.bytes))" }

    /// No path has the byte 0.
    private static func key(_ path: DrivePath, from folder: ItemID) -> String {
        "closed-folder \(ContentHasher.hash(of: Array("\(folder)".utf8) + [0] + path.bytes))"
    }
}

extension ClosedFolderNote {
    /// Nil of what cannot be read.
    fileprivate init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let permissions = try? reader.fixed(UInt16.self) else { return nil }
        self.init(permissions: permissions, since: try? reader.fixed(UInt64.self))
    }

    /// The state has none of a folder that was open.
    fileprivate var bytes: [UInt8]? {
        guard let permissions else { return nil }
        var writer = ByteWriter(reserving: 10)
        writer.fixed(permissions)
        if let since { writer.fixed(since) }
        return writer.bytes
    }
}
