import DriveCore
import FileCoordination

extension FileStore {
    /// The folder at a path, made where it is missing, and closed as one that syncing has removed from there was; nil where
    /// something else has a name on the way. Tells of each that was made.
    func makeFolder(
        at path: DrivePath, entropy: any Entropy, _ closed: ClosedFolders, _ tell: (DrivePath) -> Void
    ) throws(DriveError) -> OpenFolder? {
        var folder = try open(.root)
        for (count, name) in zip(1..., path.components) {
            if let next = try open(name, in: folder) {
                folder = next
                continue
            }
            let staged = FileName("restore-\(entropy.nonce(16))")
            _ = try stageFolder(staged)
            adoptSurroundings(of: folder, to: staged)
            let place = DrivePath(Array(path.components.prefix(count)))
            // Before anything is in it. Where nobody can tell how it was, it is for its owner alone.
            if let permissions = closed.permissions(at: place, orElse: 0o700) { limit(staged, to: permissions) }
            var isPlaced = false
            defer { if !isPlaced { try? discard(staged, in: .incoming) } }
            guard try move(staged, in: open(.incoming), to: name, in: folder) == .done,
                let next = try open(name, in: folder)
            else { return nil }
            isPlaced = true
            folder = next
            tell(place)
        }
        return folder
    }

    /// The identity of the bytes at a path, with what a look found; nil where no regular file is there or it changes.
    func content(at path: DrivePath) throws(DriveError) -> (hash: ContentHash, facts: FileFacts)? {
        guard let name = path.name, let folder = try open(path: path.parent), let reader = try read(name, in: folder)
        else { return nil }
        guard let found = try reader.hash() else { return nil }
        return (found.0, reader.facts)
    }
}
