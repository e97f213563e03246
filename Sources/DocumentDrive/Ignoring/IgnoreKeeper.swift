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
        let wanted = try Self.files(of: engine.parts.state)
        var isChanged = false
        for file in memory.withLock({ wanted.union($0.facts.keys).union($0.unread) }) {
            // A copy that is none any more is a file as others are.
            let isRules = file.name == IgnoreRules.fileName || wanted.contains(file)
            do {
                if isRules, let found = try read(file, engine.parts) {
                    isChanged = found || isChanged
                    continue
                }
            } catch let error as DriveError where error.remedy == .skip {
                // Its folder cannot be entered, which the scan says of it: nothing that is in there is sent.
                continue
            }
            let isRoot = file.components == [IgnoreRules.fileName]
            let rules = isRoot ? try await IgnoreFile.stored(engine) : nil
            isChanged = memory.withLock { $0.set(rules, nil, of: file) } || isChanged
        }
        return isChanged
    }

    /// Has the index remember what was read, for processes that cannot read it. Without it these hide more than they have to, which is
    /// no reason to stop.
    func keep(in state: any DriveState) {
        let new = memory.withLock { $0.takeNew() }.filter { file, remembered in
            (try? state.setting(RememberedRules.key(file))) != remembered?.bytes
        }
        guard !new.isEmpty else { return }
        try? state.transaction(isDurable: false) {
            for (file, remembered) in new { try state.setSetting(remembered?.bytes, RememberedRules.key(file)) }
        }
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
        try read(files, open, folder.appending(IgnoreRules.fileName)) { _ in nil } ?? false
    }

    private func read(_ file: DrivePath, _ parts: DriveParts) throws -> Bool? {
        guard let open = try parts.files.open(path: file.parent) else { return nil }
        return try read(parts.files, open, file) { try RememberedRules.rules(of: file, $0, in: parts.state) }
    }

    /// Whether there were other rules than are known; nil where there is no file. Of one that cannot be read what is known counts on
    /// if it is the very file, and the scan names it. Else nobody knows what it is to hide: what it did hide must not be sent.
    private func read(
        _ files: any FileStore, _ open: OpenFolder, _ file: DrivePath,
        remembered: (FileFacts) throws -> IgnoreRules?
    ) throws -> Bool? {
        guard let name = file.name else { return nil }
        var seen: FileFacts?
        do {
            guard let facts = try files.look(at: name, in: open) else { return nil }
            seen = facts
            let known = memory.withLock { $0.facts[file] }
            if known?.looksUnchanged(since: facts) == true { return false }
            if facts.kind != .link {
                if IgnoreFile.rules(ofNoFile: facts.kind) != nil { return nil }
                guard let reader = try files.read(name, in: open) else { return nil }
                let text = try IgnoreFile.text(reader)
                return memory.withLock { $0.set(text, reader.facts, of: file) }
            }
        } catch {
            guard error.remedy == .skip else { throw error }
            if let seen, memory.withLock({ $0.facts[file]?.isVeryFile(seen) == true }) { return false }
            let rules = try seen.flatMap { try remembered($0) }
            return memory.withLock { memory in
                memory.set(rules ?? IgnoreFile.unread(error), rules == nil ? nil : seen, of: file)
            }
        }
        let last = try memory.withLock { $0.tree[file: file] } ?? seen.flatMap { try remembered($0) }
        return memory.withLock { $0.set(.linked(last: last), nil, of: file) }
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
