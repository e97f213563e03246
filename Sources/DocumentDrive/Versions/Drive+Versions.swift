public import DriveCore
import FileCoordination

extension Drive {
    /// Puts a version's content over the file at its path, or makes the file; what is there goes to the trash. A pass
    /// afterwards tells the other devices. Throws `notFound` where nobody has the bytes any more.
    public func replaceItem(at path: DrivePath, with version: FileVersion) async throws {
        let content = RestoredContent(
            path: version.path.bytes, content: version.persistentIdentifier, target: path.bytes)
        _ = try await perform(.restore([content]))
    }

    /// Ends all conflicts of a file: what it holds stays, its copies go to the trash.
    public func resolveConflicts(of path: DrivePath) async throws {
        let ids = try await engine.use { engine in
            try ConflictList(engine.parts.state).all().filter { $0.current == path }.map(\.id)
        }
        if !ids.isEmpty { _ = try await perform(.resolve(ids: ids, how: .keep(.current))) }
    }

    /// Removes, for good, what the trash of this device keeps of a file. The store's copies go when their time is over.
    public func removeOtherVersions(of path: DrivePath) async throws {
        let names = try await engine.use { engine in
            try engine.parts.state.trash().filter { $0.path == path && $0.reason != .ancestor }
                .map(\.name.description)
        }
        if !names.isEmpty { _ = try await perform(.emptyTrash(names: names)) }
    }
}
