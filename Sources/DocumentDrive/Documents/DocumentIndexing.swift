import DriveCore
import DriveFiles
import DriveImporting
import DriveIndex
import FileCoordination
import Glibc

/// Reads the documents of a drive into its search index, one run at a time, on a thread of its own.
///
/// What is to be read stands in the index of rows, and goes from there only when the search index has it on the disk.
public actor DocumentIndexing {
    public struct Outcome: Hashable, Sendable {
        public var read = 0
        public var failed = 0
        /// Files that are not what the index says; the next scan sees to them.
        public var changed = 0
        /// Why no document can be read at all.
        public var obstacle: String?

        public init() {}
    }

    let folder: FolderPath
    let engine: SyncEngine
    let gate: PassGate
    let pool: ImportPool
    private let program: String?
    private let clock = SystemClock()
    private let executor = BlockingExecutor(label: "docdrive.documents")
    private var books: Books?
    /// Where the importer was last.
    private var found: String?
    private var isRunning = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Open as long as nothing is wrong with them.
    struct Books {
        let rows: DriveIndex
        let search: SearchIndex
        /// Which file was opened; nil where it was gone again.
        let place: SearchFile.Place?
        /// The search index as the last run left it: nobody else writes it.
        var trace: SearchFile.Trace
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ folder: FolderPath, engine: SyncEngine, gate: PassGate, workers: Int?, program: String? = nil) {
        self.folder = folder
        self.engine = engine
        self.gate = gate
        self.program = program
        var configuration = ImportPool.Configuration()
        configuration.program = program
        if let workers { configuration.workers = workers }
        pool = ImportPool(configuration)
    }

    /// Takes up all names and reads all documents that are not read yet.
    ///
    /// With `retriesAll` everything is tried again that failed for a reason that may have passed, whatever its time. With
    /// `isChecked` the search index is looked over for damage first, which takes as long as reading it.
    public func run(retriesAll: Bool = false, isChecked: Bool = false) async throws -> Outcome {
        await enter()
        defer { leave() }
        do { return try await readAll(retriesAll, isChecked) } catch let error as DriveError
            where [.corrupt, .internalFault].contains(error.kind)
        {
            // Most likely the cache, and then the second time it is a new one.
            file.doubt.note(error, in: file.place)
            return try await readAll(retriesAll, true)
        }
    }

    /// Ends the importer processes, and gives up the indexes. Another run opens them anew.
    public func end() async {
        await pool.end()
        books = nil
    }

    /// For when little is to be read from now on.
    func releaseMemory() async throws {
        try await writing { try $0.releaseMemory() }
        try books?.rows.releaseMemory()
        try books?.search.releaseMemory()
        HeapMemory.giveBack()
    }

    private func readAll(_ retriesAll: Bool, _ isChecked: Bool) async throws -> Outcome {
        let books = try await usableBooks(isChecked)
        defer { self.books?.trace = file.trace }
        if try retriesAll || books.rows.unnamedCount() >= Self.fewNames { try await indexNames() }
        var outcome = Outcome()
        if program == nil, let obstacle = missingProgram() {
            outcome.obstacle = obstacle
            return outcome
        }
        var run = DocumentRun(self, books, now: clock.milliseconds())
        try await run.retry(all: retriesAll)
        try await run.readChanged()
        try await run.readNew()
        return run.outcome
    }

    /// Why there is no importer; nil where there is one. Asked after every pass, so that it is looked for once only.
    private func missingProgram() -> String? {
        if let found, access(found, X_OK) == 0 { return nil }
        do { found = try ImportProgram.find() } catch { return error.message }
        return nil
    }

    private var file: SearchFile { SearchFile(drive: folder) }

    private func usableBooks(_ isChecked: Bool) async throws -> Books {
        let finding = file.doubt.finding
        if let books, !isChecked, finding == nil, isWhatOthersFind(books) { return books }
        let isDoubtful = isChecked || finding != nil || books != nil
        books = nil
        // What did not show when it was looked over shows in use.
        if finding == .damage { try SearchIndex.remove(file.path.bytes) }
        let opened = try await open(isChecked: isDoubtful)
        file.doubt.clear()
        return opened
    }

    /// Of a file that somebody removed, replaced, emptied or wrote into, what is open here goes on to be read and written, and nobody
    /// else finds any of it. Looked at closely only where something has changed since the last run.
    private func isWhatOthersFind(_ books: Books) -> Bool {
        let trace = file.trace
        // First: what became of the file during the last run, that run took for what it left.
        guard let place = trace.place, place == books.place, !trace.isEmpty else { return false }
        if trace == books.trace { return true }
        do {
            let found = try file.openForReading(of: books.rows.numbers().device, isMapped: false)
            return try found?.writes() == books.search.writes()
        } catch { return false }
    }

    private func open(isChecked: Bool) async throws -> Books {
        let rows = try IndexFile(drive: folder).openForReading(isLasting: true)
        let search = try file.open(of: rows.numbers().device, isChecked: isChecked)
        if try !search.isKnown() || !rows.knows(searchIndexWith: search.writes()) {
            try await writing { try $0.forgetRead() }
            try search.setKnown()
        }
        let trace = file.trace
        let opened = Books(rows: rows, search: search, place: trace.place, trace: trace)
        books = opened
        return opened
    }

    /// A search looks at so many by themselves in no time, and each step of the index of names costs about what the change
    /// costs that it is about.
    private static let fewNames = 64

    private func indexNames() async throws {
        while try await writing({ try $0.indexNames(limit: 2_000) }) {}
    }

    /// Between passes, by the drive's only writer.
    func writing<Result: Sendable>(_ body: @Sendable (DriveIndex) throws -> Result) async throws -> Result {
        await gate.pass()
        return try await engine.use { engine in
            guard let index = engine.parts.state as? DriveIndex else {
                throw DriveError(.internalFault, "the drive has no index for searches")
            }
            return try body(index)
        }
    }

    private func enter() async {
        if !isRunning {
            isRunning = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        if waiting.isEmpty { isRunning = false } else { waiting.removeFirst().resume() }
    }
}
