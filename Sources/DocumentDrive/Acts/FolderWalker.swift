import DriveCore
import FileCoordination

extension FileStore {
    /// The folder at a path beneath the root; nil where it is not there.
    func folder(at path: DrivePath) throws(DriveError) -> OpenFolder? {
        var folder = try open(.root)
        for name in path.components {
            guard let next = try open(name, in: folder) else { return nil }
            folder = next
        }
        return folder
    }

    /// The folder at a path, made where it is missing; nil where something else has a name on the way.
    func makeFolder(at path: DrivePath, entropy: any Entropy) throws(DriveError) -> OpenFolder? {
        var folder = try open(.root)
        for name in path.components {
            if let next = try open(name, in: folder) {
                folder = next
                continue
            }
            let staged = FileName("restore-\(entropy.nonce(16))")
            _ = try stageFolder(staged)
            guard try move(staged, in: open(.incoming), to: name, in: folder) == .done,
                let next = try open(name, in: folder)
            else { return nil }
            folder = next
        }
        return folder
    }

    /// The identity of the bytes at a path, with what a look found; nil where no regular file is there or it changes.
    func content(at path: DrivePath) throws(DriveError) -> (hash: ContentHash, facts: FileFacts)? {
        guard let name = path.name, let folder = try folder(at: path.parent), let reader = try read(name, in: folder)
        else { return nil }
        var hasher = ContentHasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = try reader.read(into: buffer)
            if count == 0 { break }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return try reader.isUnchanged() ? (hasher.finish().0, reader.facts) : nil
    }
}

extension DriveParts {
    /// Moves a person's file to the drive's trash. False where it is not there any more.
    func moveToTrash(_ path: DrivePath, _ reason: TrashEntry.Reason) throws -> Bool {
        guard let name = path.name, let folder = try files.folder(at: path.parent),
            let facts = try files.look(at: name, in: folder)
        else { return false }
        let hash = try state.row(identity: facts.identity)?.hash
        let entry = TrashEntry(
            name: FileName("act-\(entropy.nonce(16))"), path: path, hash: hash, size: facts.size, reason: reason,
            time: clock.milliseconds())
        // Written down first: an entry without a file is harmless, a file without an entry could not be found.
        try state.addTrash(entry)
        guard try files.move(name, in: folder, to: entry.name, in: files.open(.trash)) == .done else {
            try state.removeTrash(entry.name)
            return false
        }
        return true
    }
}
