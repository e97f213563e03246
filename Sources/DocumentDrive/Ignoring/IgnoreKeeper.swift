import DriveCore
import DriveIndex
import FileCoordination
import Synchronization

/// The ignore rules of a drive as they stand in its folders; looked at again before every scan, and where a scan comes to a
/// folder that has some.
final class IgnoreKeeper: Sendable {
    private let memory = Mutex(IgnoreMemory())

    func ignores(_ path: DrivePath, isFolder: Bool) -> Bool {
        memory.withLock { $0.tree.ignores(path, isFolder: isFolder) }
    }

    /// Tells the rules for what is directly in a folder from others (`EngineOptions.ignoreRules`).
    func rules(in folder: DrivePath) -> Fingerprint { memory.withLock { $0.rules(in: folder) } }

    /// Reads what is new of the files that are known.
    func refresh(_ engine: DriveEngine) async throws {
        let files = engine.parts.files
        var paths: Set<DrivePath> = [DrivePath([IgnoreRules.fileName])]
        if let index = engine.parts.state as? DriveIndex {
            for row in try index.ignoreFiles() { paths.insert(try index.path(of: row)) }
        }
        for path in memory.withLock({ paths.union($0.facts.keys) }) {
            let folder = path.parent
            do {
                if let open = try files.open(path: folder), try read(files, open, at: folder) != nil { continue }
                let rules = folder.isRoot ? try await IgnoreFile.stored(engine) : nil
                memory.withLock { $0.set(rules, nil, in: folder) }
            } catch let error as DriveError where error.remedy == .skip {
                // What is known of it counts on, and the scan names the file: one bad file stops nothing else.
                continue
            }
        }
    }

    /// Reads the file that a scan came to (`EngineOptions.meetsIgnoreFile`).
    func meet(_ files: any FileStore, _ open: OpenFolder, at folder: DrivePath) throws -> Bool {
        do { return try read(files, open, at: folder) ?? false } catch {
            guard error.remedy == .skip else { throw error }
            return false
        }
    }

    /// Whether there were other rules than are known; nil where there is no file.
    private func read(_ files: any FileStore, _ open: OpenFolder, at folder: DrivePath) throws(DriveError) -> Bool? {
        let name = IgnoreRules.fileName
        guard let facts = try files.look(at: name, in: open), facts.kind == .file else { return nil }
        let known = memory.withLock { $0.facts[folder.appending(name)] }
        if known?.looksUnchanged(since: facts) == true { return false }
        guard let reader = try files.read(name, in: open) else { return nil }
        let rules = try IgnoreFile.rules(reader)
        memory.withLock { $0.set(rules, reader.facts, in: folder) }
        return true
    }
}

extension EngineOptions {
    mutating func go(by ignoring: IgnoreKeeper) {
        ignores = { ignoring.ignores($0, isFolder: $1) }
        meetsIgnoreFile = { files, open, folder in try ignoring.meet(files, open, at: folder) }
        ignoreRules = { ignoring.rules(in: $0) }
    }
}
