public import DriveCore
import DriveFiles
import DriveIndex
public import FileCoordination

extension DriveReader {
    /// Why an item is as it is: also of what is ignored, gone, or was never there. With what the watching process says of
    /// itself, where one runs, it tells when things go on.
    ///
    ///     let why = try DriveReader(folder).explanation(of: "Letters/Budget.ods")
    ///     print(why.sentence, why.remedy ?? "")
    public func explanation(of path: DrivePath, running: RunningStatus? = nil) throws -> Explanation {
        Explainer(try FactGatherer(self, running: running).facts(of: path)).explanation()
    }

    /// Everything that is not in step, and the drive itself (the root) where something stops it, by path. What no pass has
    /// looked at yet is not among it.
    public func waiting(in folder: DrivePath = .root, running: RunningStatus? = nil) throws -> [Explanation] {
        try waiting(in: folder, FactGatherer(self, running: running))
    }

    private func waiting(in folder: DrivePath, _ gatherer: FactGatherer) throws -> [Explanation] {
        var result: [DrivePath: Explanation] = [:]
        // What is beneath these is not brought by any pass.
        var covered: [DrivePath] = []
        let named =
            try [.root] + gatherer.obstacles.keys + gatherer.held.keys + gatherer.unsentDeletes() + mountPoints()
        for path in Set(named).sorted() where path.isInside(folder) || path.isRoot {
            let explanation = Explainer(try gatherer.facts(of: path)).explanation()
            if explanation.standing.isSettled { continue }
            result[path] = explanation
            let isForeign = gatherer.obstacles[path]?.contains { $0.cause == .otherFileSystem } ?? false
            if isForeign || explanation.cause == .otherFileSystem { covered.append(path) }
        }
        let obstructed = try gatherer.obstructed()
        for item in try loose(in: folder) where result[item.path] == nil {
            // What is set aside says so itself.
            let target = item.state == .downloading ? obstructed[item.path] : nil
            // One move is one item.
            if let target, result[target] != nil { continue }
            var facts = try target == nil ? ItemFacts(item, gatherer.drive) : gatherer.facts(of: item.path)
            if item.state == .downloading, target == nil {
                // What others have and a rule hides here nobody waits for.
                facts.rule = gatherer.rules.rule(for: item.path, isFolder: item.kind == .folder)
                if !gatherer.held.isEmpty { facts = try gatherer.facts(of: item.path) }
            }
            facts.mount = facts.mount ?? covered.first { item.path.isInside($0) }
            var explanation = Explainer(facts).explanation()
            if item.modified == nil { explanation.last?.modified = nil }
            if !explanation.standing.isSettled { result[item.path] = explanation }
        }
        return result.values.sorted { $0.path < $1.path }
    }

    /// A watch hears nothing of what is mounted, and no pass may have met it yet.
    private func mountPoints() -> [DrivePath] {
        MountTable.current.places(in: folder.resolved).filter { $0.components.first != DriveLayout.state }
    }

    /// What passes could not sync, item by item, as far as it still is so.
    public func problems() throws -> [Problem] {
        let problems = try index.problems()
        guard problems.contains(where: { $0.source == .scan }) else { return problems }
        let gatherer = try FactGatherer(self, running: nil)
        return try problems.filter { problem in
            guard problem.source == .scan else { return true }
            return try !Explainer(gatherer.facts(of: problem.path)).explanation().standing.isSettled
        }
    }

    /// What lies in the folder and no pass could read so far, so that no query finds it; by path. `explanation(of:)` says why.
    public func unrecorded() throws -> [DrivePath] {
        let causes: [Cause] = [.openForWriting, .changing, .unreadable, .diskError]
        let paths = try StandingMemory(index).obstacles().filter { causes.contains($0.cause) }.map(\.path)
        if paths.isEmpty { return [] }
        return try Set(paths).filter { try !$0.isRoot && index.row(at: $0) == nil }.sorted()
    }

    /// Folders that other devices have deleted, and that stay here for what is in them and is not synced; by path.
    public func keptFolders() throws -> [DrivePath] {
        try KeptFolders(index).rows().compactMap { try index.row($0) }.map { try index.path(of: $0) }.sorted()
    }

    /// Nil unless nothing is to be sent or brought now.
    public func pause() throws -> Pause? { try StandingMemory(index).pause(now: SystemClock().milliseconds()) }

    public var isPaused: Bool { get throws { try pause() != nil } }

    /// As `waiting(in:running:)`, of these items and what is in them; of everything if there are none. What stops the drive
    /// keeps items waiting only where some do.
    public func waiting(for paths: [DrivePath], running: RunningStatus? = nil) throws -> [Explanation] {
        // With a pause nothing of this device waits unless some item does.
        if paths.isEmpty || paths.contains(.root) {
            return try waiting(running: running).filter { !$0.path.isRoot || $0.cause != .paused }
        }
        var result: [DrivePath: Explanation] = [:]
        let gatherer = try FactGatherer(self, running: running)
        for path in paths {
            for found in try waiting(in: path, gatherer) where !found.path.isRoot { result[found.path] = found }
            let own = Explainer(try gatherer.facts(of: path)).explanation()
            if !own.standing.isSettled { result[path] = own }
        }
        return result.values.sorted { $0.path < $1.path }
    }

    private func loose(in folder: DrivePath) throws -> [FoundItem] {
        var query = NameQuery()
        query.states = [.uploading, .downloading, .waiting]
        query.includesAbsent = true
        query.folder = folder.isRoot ? nil : folder
        return try index.search(query)
    }
}

extension Drive {
    /// As `DriveReader.explanation(of:running:)`, beside whatever this value is doing.
    public func explanation(of path: DrivePath) throws -> Explanation {
        try checkPlace()
        return try DriveReader(folder).explanation(of: path)
    }
}

extension ItemFacts {
    /// Of one of many items that nothing but the drive's own state keeps waiting: neither looked at nor looked up.
    init(_ item: FoundItem, _ drive: DriveFacts) {
        self.init(item.path, drive: drive)
        let modified = item.modified ?? FileTime(seconds: 0, nanoseconds: 0)
        let facts = FileFacts(
            kind: .file, identity: FileIdentity(inode: 0, birth: nil), size: item.size, modified: modified,
            changed: modified)
        var row = Row(id: .root, parent: .root, name: item.path.name ?? "", kind: item.kind, facts: facts)
        row.isParked = item.state == .waiting
        self.row = row
        isDirty = item.state == .downloading
        isUnsent = item.state == .uploading
    }
}
