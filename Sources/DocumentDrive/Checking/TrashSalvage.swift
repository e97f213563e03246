import DriveCore
import DriveFiles
import FileCoordination

/// Lists in an index what lies in the trash and is not listed there, so that it can be restored.
///
/// It is due from the moment on in which an index is made, or shows to be older than what this device has published: who is
/// interrupted before it is done leaves it to whoever opens the index next.
struct TrashSalvage {
    let files: any FileStore
    let state: any DriveState

    private static let dueKey = "trash-salvage"

    /// Within the transaction that makes the index, or by which the device goes on with it.
    static func setDue(_ state: any DriveState) throws { try state.setSetting([1], dueKey) }

    /// Whether it was.
    @discardableResult
    func runIfDue() throws -> Bool {
        guard try state.setting(Self.dueKey) != nil else { return false }
        try state.transaction { try run() }
        return true
    }

    /// Within a transaction. `known` is what an older index said; what it does not name is listed under the name that it has
    /// in the trash.
    func run(_ known: [TrashEntry] = []) throws {
        let names = try files.list(files.open(.trash))
        let entries = Dictionary(known.map { ($0.name, $0) }) { $1 }
        let listed = Set(try state.trash().map(\.name))
        for file in names.sorted(by: { $0.name < $1.name }) where !listed.contains(file.name) {
            if let entry = entries[file.name] {
                try state.addTrash(entry)
                continue
            }
            guard let facts = try files.look(at: file.name, in: files.open(.trash)) else { continue }
            try state.addTrash(unknown(file.name, facts))
        }
        try state.setSetting(nil, Self.dueKey)
    }

    /// Nobody need have deleted what was copied from a file that the store refuses: the next look at that finds the copy by the inode
    /// and the bytes, and puts what no file has any more into the trash.
    private func unknown(_ name: FileName, _ facts: FileFacts) -> TrashEntry {
        var entry = TrashEntry(
            name: name, path: DrivePath([name]), hash: nil, size: facts.size, reason: .deleted,
            time: SystemClock().milliseconds())
        guard entry.isOfRefused, facts.kind == .file,
            let hash = try? files.contentHash(of: name, in: files.open(.trash))
        else { return entry }
        (entry.hash, entry.reason) = (hash, .refused)
        // When it was copied: another file that is younger may have the inode.
        entry.time = (facts.identity.birth ?? facts.changed).millisecondsSince1970
        return entry
    }

    /// With hashes as `files` make them, where the older index had others. Reads what it must; what cannot be read has none.
    static func renewed(_ known: [TrashEntry], _ files: DiskFileStore) -> [TrashEntry] {
        known.map { entry in
            guard let old = entry.hash, old.isFingerprint || files.hasContentKey else { return entry }
            var entry = entry
            entry.hash = (try? files.contentHash(of: entry.name, in: files.open(.trash))) ?? nil
            return entry
        }
    }
}
