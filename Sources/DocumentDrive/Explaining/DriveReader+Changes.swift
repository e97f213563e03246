public import DriveCore
import DriveFiles
import DriveIndex
public import FileCoordination

extension DriveReader {
    /// What no pass has looked at yet, by path: for where nothing watches the drive, or what does is kept from it. Looks at all
    /// that is in the folder, reads few files, and asks no store. Tells what each waits for, and not how it looks.
    public func unseenChanges(
        in chosen: [DrivePath] = [], running: RunningStatus? = nil
    ) async throws -> [Explanation] {
        let changes = try await folderChanges()
        let gatherer = try FactGatherer(self, running: running)
        let drive = gatherer.drive
        var touched = TouchedFiles(try folderNow())
        let edited = try changes.edited.filter { try !touched.isAsRecorded($0) }
        let all =
            try changes.new.map { path in
                var facts = ItemFacts(unseen: path, changes.times[path], isKnown: false, drive)
                facts.held = try gatherer.heldPlace(of: path)
                return facts
            }
            + edited.map { ItemFacts(unseen: $0, changes.times[$0], isKnown: true, drive) }
            + changes.gone.map { ItemFacts(unseen: $0, nil, isKnown: true, drive) }
        return all.filter { facts in chosen.isEmpty || chosen.contains { facts.path.isInside($0) } }
            .map { Explainer($0).explanation() }.sorted { $0.path < $1.path }
    }

    /// The same of what is in a folder, each with all that is known of it.
    public func unseenExplanations(
        in place: DrivePath, running: RunningStatus? = nil
    ) async throws -> [Explanation] {
        let changes = try await folderChanges()
        let gatherer = try FactGatherer(self, running: running)
        return try (changes.new + changes.edited + changes.gone).filter { $0 != place && $0.isInside(place) }.sorted()
            .map { Explainer(try gatherer.facts(of: $0)).explanation() }.filter { !$0.standing.isSettled }
    }

    /// The folder as it is, in which nothing changes.
    func lookingFiles() throws -> any FileStore {
        guard let replica = try Drive.replica(of: folder) else {
            throw DriveError(.usage, "this folder is no drive", path: folder.description)
        }
        return LookingFileStore(try DiskFileStore.open(at: folder, replica: replica, index: index))
    }

    func folderChanges() async throws -> FolderChanges {
        let files = try lookingFiles()
        let ignoring = IgnoreKeeper()
        var options = EngineOptions()
        options.go(by: ignoring)
        let parts = DriveParts(
            files: files, state: index, transport: nil, clock: SystemClock(), entropy: SystemEntropy(),
            options: options)
        try await ignoring.refresh(DriveEngine(parts))
        return try FolderChanges(parts)
    }
}

extension ItemFacts {
    /// Of one of many items of which a walk said no more.
    fileprivate init(unseen path: DrivePath, _ changed: FileTime?, isKnown: Bool, _ drive: DriveFacts) {
        self.init(path, drive: drive)
        let none = FileFacts(
            kind: .file, identity: FileIdentity(inode: 0, birth: nil), size: 0, modified: FileTime(seconds: 0),
            changed: FileTime(seconds: 0))
        var other = none
        other.size = 1
        if let changed {
            var here = none
            here.changed = changed
            disk = .present(here)
        } else {
            disk = .absent
        }
        if isKnown { row = Row(id: .root, parent: .root, name: path.name ?? "", kind: .file, facts: other) }
    }
}
