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

    /// Reads what is new of the files that are known. Whether there are other rules now.
    @discardableResult
    func refresh(_ engine: DriveEngine) async throws -> Bool {
        let files = engine.parts.files
        let wanted = try Self.files(of: engine.parts.state)
        var isChanged = false
        for file in memory.withLock({ wanted.union($0.facts.keys) }) {
            do {
                // A copy that is none any more is a file as others are.
                let isRules = file.name == IgnoreRules.fileName || wanted.contains(file)
                if isRules, let open = try files.open(path: file.parent), let found = try read(files, open, file) {
                    isChanged = found || isChanged
                    continue
                }
                let isRoot = file.components == [IgnoreRules.fileName]
                let rules = isRoot ? try await IgnoreFile.stored(engine) : nil
                isChanged = memory.withLock { $0.set(rules, nil, of: file) } || isChanged
            } catch let error as DriveError where error.remedy == .skip {
                // What is known of it counts on, and the scan names the file: one bad file stops nothing else.
                continue
            }
        }
        return isChanged
    }

    /// The root's, those that rows know, and conflict copies of them.
    static func files(of state: any DriveState) throws -> Set<DrivePath> {
        var files: Set<DrivePath> = [DrivePath([IgnoreRules.fileName])]
        if let index = state as? DriveIndex {
            for row in try index.ignoreFiles() { files.insert(try index.path(of: row)) }
        }
        return files.union(try state.ignoreCopies())
    }

    /// Reads the file that a scan came to (`EngineOptions.meetsIgnoreFile`).
    func meet(_ files: any FileStore, _ open: OpenFolder, at folder: DrivePath) throws -> Bool {
        do { return try read(files, open, folder.appending(IgnoreRules.fileName)) ?? false } catch {
            guard error.remedy == .skip else { throw error }
            return false
        }
    }

    /// Whether there were other rules than are known; nil where there is no file.
    private func read(_ files: any FileStore, _ open: OpenFolder, _ file: DrivePath) throws(DriveError) -> Bool? {
        guard let name = file.name, let facts = try files.look(at: name, in: open), facts.kind == .file else {
            return nil
        }
        let known = memory.withLock { $0.facts[file] }
        if known?.looksUnchanged(since: facts) == true { return false }
        guard let reader = try files.read(name, in: open) else { return nil }
        let rules = try IgnoreFile.rules(reader)
        return memory.withLock { $0.set(rules, reader.facts, of: file) }
    }
}

extension DriveState {
    /// Conflict copies of ignore files: until somebody has decided, what they hide stays hidden too.
    func ignoreCopies() throws -> [DrivePath] {
        let reader = ViewReader(self)
        return try nodesWithDerivedNames().flatMap { node in
            let copies = try derivedNames(in: node).filter { $0.ownName == IgnoreRules.fileName }
            guard !copies.isEmpty, let folder = try reader.path(ofNode: node) else { return [DrivePath]() }
            return copies.map { folder.appending($0.name) }
        }
    }
}

extension EngineOptions {
    mutating func go(by ignoring: IgnoreKeeper) {
        ignores = { ignoring.ignores($0, isFolder: $1) }
        meetsIgnoreFile = { files, open, folder in try ignoring.meet(files, open, at: folder) }
        rereadRules = { engine in try await ignoring.refresh(engine) }
        ignoreRules = { ignoring.rules(in: $0) }
    }
}
