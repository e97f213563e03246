public import DriveCore

/// Compares the bytes of files with what was recorded of them, where size and modification time say that they are the same.
///
/// Where those differ somebody has edited the file, and the next scan takes the edit: that is no damage. Where only the
/// bytes differ, the disk has lost them, or a program has written through a memory map, which leaves no trace (mmap(2));
/// the two cannot be told apart. Where the inode or the change time differ, too, it was brought back from a backup that was
/// bad, or somebody has written it and set its date back. Reads only; works beside a running drive.
public struct FileCheck {
    private let files: any FileStore
    private let rows: any RowStorage
    private let known: Set<RowID>
    private let report: (EngineEvent) -> Void
    private var locator: FolderLocator
    /// By their paths.
    private var folders: LastFolder?
    public private(set) var outcome = Outcome()

    public struct Outcome: Sendable {
        /// What was read.
        public var files = 0
        public var bytes: UInt64 = 0
        /// Edited, moved or gone since the last scan: not compared.
        public var changed = 0
        public var damaged: [DamagedFile] = []
        public var unreadable: [UnreadableFile] = []
        /// What is to be kept of it, as `DriveEngine.note(_:)` does: what is damaged, and what was listed so and is whole.
        public var readings: [FileReading] = []

        public init() {}
    }

    public init(
        files: any FileStore, rows: any RowStorage, known: KnownDamage? = nil,
        report: @escaping (EngineEvent) -> Void = { _ in }
    ) {
        self.files = files
        self.rows = rows
        self.known = known?.rows ?? []
        self.report = report
        locator = FolderLocator(files: files, rows: rows)
    }

    /// Everything, or what is at or in these paths.
    public mutating func run(only paths: [DrivePath] = []) throws {
        var folder: RowID?
        // What was deleted here, and is held, is not there to be read.
        try CheckedRows(rows, only: paths).each { row in
            try Task.checkCancellation()
            if row.isHeld { return }
            if row.parent != folder {
                // Few folders are open at a time, however many there are.
                locator.forget()
                folder = row.parent
            }
            do { try check(row) } catch let error as DriveError where error.remedy == .skip {
                outcome.unreadable.append(UnreadableFile(path: try rows.path(of: row), reason: error.message))
            }
        }
        outcome.damaged.sort { $0.path < $1.path }
        outcome.unreadable.sort { $0.path < $1.path }
    }

    private mutating func check(_ row: Row) throws {
        let progress = FileProgress(report)
        guard let recorded = row.hash, let (folder, name) = try place(of: row),
            let facts = try files.look(at: name, in: folder), facts.isDated(as: row.facts),
            let found = try files.untouchedHash(of: name, in: folder, facts, progress)
        else {
            outcome.changed += 1
            return
        }
        let isTouched = !facts.looksUnchanged(since: row.facts)
        if isTouched, found != recorded, row.kind != .file {
            outcome.changed += 1
            return
        }
        outcome.files += 1
        outcome.bytes += row.facts.size
        progress.finish(row.facts.size)
        let reading = FileReading(row: row.id, facts: row.facts, recorded: recorded, isWhole: found == recorded)
        if reading.isWhole {
            if known.contains(row.id) { outcome.readings.append(reading) }
            return
        }
        // A running drive may have brought a new version meanwhile.
        guard let now = try rows.row(row.id), now.hash == recorded, now.facts.looksUnchanged(since: row.facts) else {
            outcome.changed += 1
            return
        }
        // The next scan takes what is there: nobody else is told of damage.
        if !isTouched { outcome.readings.append(reading) }
        outcome.damaged.append(
            DamagedFile(
                row: row.id, path: try rows.path(of: row), size: row.facts.size, recorded: recorded, found: found,
                isTouched: isTouched))
    }

    /// By its rows, or by its path where the folders above it are others by now, as after a backup was brought back.
    private mutating func place(of row: Row) throws -> (OpenFolder, FileName)? {
        if let place = try locator.place(of: row) { return place }
        var folders = try self.folders ?? LastFolder(files)
        defer { self.folders = folders }
        return try folders.open(rows.path(of: row).parent).map { ($0, row.name) }
    }
}

/// A file whose bytes are others than those recorded, though neither its size nor its modification time says that it changed.
public struct DamagedFile: Hashable, Sendable {
    let row: RowID
    public var path: DrivePath
    public var size: UInt64
    public var recorded: ContentHash
    public var found: ContentHash
    /// Its inode or change time are others, too: it was copied, or written and its date set back, so it may be meant.
    public var isTouched: Bool
}

public struct UnreadableFile: Hashable, Sendable {
    public var path: DrivePath
    public var reason: String
}

extension FileStore {
    /// The hash of a file or link that has these facts, before and after it was read; nil where it has not.
    func untouchedHash(
        of name: FileName, in folder: OpenFolder, _ facts: FileFacts, _ progress: FileProgress? = nil
    ) throws -> ContentHash? {
        guard let before = try look(at: name, in: folder), before.looksUnchanged(since: facts),
            let hash = try contentHash(of: name, in: folder, progress),
            let after = try look(at: name, in: folder), after.looksUnchanged(since: facts)
        else { return nil }
        return hash
    }
}
