public import DriveCore
import FileCoordination

extension Drive {
    /// Puts a version's content over the file at its path, or makes the file; what is there goes to the trash. Waits for whoever
    /// uses the item, as `perform` does. A pass afterwards tells the other devices. Throws `notFound` where nobody has the bytes
    /// any more, and `usage` for the drive's own folder.
    public func replaceItem(
        at path: DrivePath, with version: FileVersion, patience: Duration? = nil
    ) async throws {
        guard !path.isRoot else {
            throw DriveError(.usage, "a file cannot take the place of the drive's folder", path: folder.description)
        }
        let content = RestoredContent(
            path: version.path.bytes, content: version.persistentIdentifier, target: path.bytes)
        _ = try await perform(.restore([content]), patience: patience)
    }

    /// Ends all conflicts of a file: what it holds stays, also where that was saved since the last pass; its copies go to the
    /// trash. Throws `temporary` where one of them could not be ended, because somebody has saved that copy or removed the file
    /// since the last pass; nothing is done with that one, and after the next pass it can be. Waits for whoever uses one of them,
    /// as `perform` does.
    public func resolveConflicts(of path: DrivePath, patience: Duration? = nil) async throws {
        let obstacles = try await act(ActDeadlines(ActPatience(patience))) { parts in
            let folder = FolderNow(files: parts.files, state: parts.state)
            let conflicts = try ConflictList(parts.state).all().filter { conflict in
                // Those that were resolved before, and no pass has looked since, are no obstacle.
                try conflict.current == path
                    && conflict.copy.map { try folder.readableStanding($0) != .nothing } != false
            }
            return try ConflictActs(parts).obstacles(conflicts, .keep(.current))
        }
        guard let first = obstacles.first else { return }
        throw DriveError(.temporary, "\(first); sync, and resolve it then", path: path.description)
    }

    /// Removes, for good, what the trash of this device keeps of a file. The store's copies go when their time is over. Throws
    /// `temporary` where one of them could not be removed.
    public func removeOtherVersions(of path: DrivePath) async throws {
        let names = try await engine.use { engine in
            try TrashByPath(engine.parts.state).entries(of: path).map(\.name.description)
        }
        guard !names.isEmpty else { return }
        let kept = try await outcomes(of: .emptyTrash(names: names)).first { !$0.isDone }
        if let kept { throw DriveError(.temporary, kept.sentence, path: path.description) }
    }
}
