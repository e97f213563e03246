public import DriveCore
public import DriveIndex
public import DrivePredicates
import FileCoordination

/// A search that goes on: what it finds now, then what becomes different, as Apple's NSMetadataQuery.
///
///     let query = try MetadataQuery(folder, MetadataPredicate(format: "kMDItemKind == 'pdf'"))
///     for await event in await query.start() {
///         if case .updated(let changes) = event { print(changes.added.map(\.path)) }
///     }
///
/// It reads the index and nothing else, so it knows a change when a pass has: at once where `docdrive watch` runs, else
/// after the next `docdrive sync`. `barrier()` makes sure. Everything happens on a thread of its own. A drive that is moved
/// or deleted ends the query with `failed`.
public actor MetadataQuery {
    /// What is asked for and how the results are arranged.
    public struct Question: Sendable {
        public var predicate: MetadataPredicate
        /// What else must hold.
        var filter = NameQuery()
        /// Only what is in these folders; everywhere if empty.
        public var scopes: [DrivePath] = []
        /// By path where it is empty, and where all keys are equal.
        public var order: [MetadataSort] = []
        /// Only the first of them, in that order; none with 0 and less.
        public var limit: Int?
        public var valueListAttributes: [String] = []
        public var groupingAttributes: [String] = []

        /// Also of what is still to be brought here, as its download status tells.
        public init(_ predicate: MetadataPredicate) {
            self.predicate = predicate
            filter.includesAbsent = true
        }

        /// Names, sizes, dates and states beside a predicate, all of which must hold.
        public init(filter: NameQuery) {
            predicate = filter.predicate ?? .constant(true)
            self.filter = filter
        }
    }

    private let folder: FolderPath
    private let executor = BlockingExecutor(label: "docdrive.query")
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private var question: Question
    private var batchingInterval = Duration.seconds(1)
    private var phase = Phase.idle
    /// What has ended it.
    private var failure: (any Error)?
    private var run: Task<Void, Never>?
    /// Counts beginnings and ends: what belongs to an older one is ignored.
    private var runNumber = 0
    /// Until the next update is due.
    private var pause: Task<Void, Never>?
    /// At an index that is damaged, or not made yet.
    private var looksInVain = 0
    private var search: QuerySearch?
    private var listeners: [Int: AsyncStream<MetadataQueryEvent>.Continuation] = [:]
    private var newestListener = 0
    private var disabled = 0
    private var isPending = false
    private var lastUpdate = ContinuousClock.now

    private enum Phase { case idle, gathering, live, stopped }

    /// What was found last, in the order of the question; kept when the query is stopped.
    public private(set) var results: [MetadataItem] = []

    /// Throws where the folder is no drive or its index cannot be read.
    public init(_ folder: FolderPath, _ question: Question) throws {
        guard try Drive.replica(of: folder) != nil else {
            throw DriveError(.usage, "this folder is no drive", path: folder.description)
        }
        self.folder = folder
        self.question = question
    }

    public init(_ folder: FolderPath, _ predicate: MetadataPredicate) throws {
        try self.init(folder, Question(predicate))
    }

    deinit {
        run?.cancel()
        pause?.cancel()
        for listener in listeners.values { listener.finish() }
    }
}

// Its life.
extension MetadataQuery {
    public var isStarted: Bool { phase == .gathering || phase == .live }
    public var isGathering: Bool { phase == .gathering }
    public var isStopped: Bool { phase == .stopped }

    /// Begins, where it has not begun, and returns what happens from now on; a query that was stopped begins anew.
    @discardableResult public func start() -> AsyncStream<MetadataQueryEvent> {
        if !isStarted { begin() }
        return events()
    }

    /// What happens from now on, until the query is stopped, and nothing where it is; `finishedGathering` at once where that
    /// has happened already.
    public func events() -> AsyncStream<MetadataQueryEvent> {
        let (stream, listener) = AsyncStream<MetadataQueryEvent>.makeStream()
        if phase == .stopped {
            listener.finish()
            return stream
        }
        newestListener += 1
        let number = newestListener
        listeners[number] = listener
        if phase == .live { listener.yield(.finishedGathering(results)) }
        // Weak, since the query keeps its listeners.
        listener.onTermination = { [weak self] _ in Task { await self?.forget(number) } }
        return stream
    }

    private func forget(_ number: Int) { listeners[number] = nil }

    /// Ends the updates; the results stay.
    public func stop() {
        guard isStarted else { return }
        end()
        for listener in listeners.values { listener.finish() }
        listeners = [:]
    }

    /// Asks something else; a query that runs drops its results and gathers anew.
    public func ask(_ question: Question) {
        self.question = question
        guard isStarted else { return }
        end()
        results = []
        begin()
    }

    /// The least time between two updates, 1 second unless set; with 0, each change that a pass made is told by itself. Holds
    /// at once, also for changes that wait already.
    public func setBatchingInterval(_ interval: Duration) {
        // More than that is never, and cannot be reckoned with.
        batchingInterval = min(max(.zero, interval), .seconds(1 << 32))
        pause?.cancel()
    }

    private func begin() {
        phase = .gathering
        failure = nil
        isPending = false
        runNumber += 1
        // Weak, and only while there is something to do: a query that nobody has any more ends.
        run = Task { [weak self, number = runNumber] in
            guard let rings = await self?.gather(number) else { return }
            for await _ in rings {
                let ring = ContinuousClock.now
                while let pause = await self?.takeNews(number, since: ring) { await pause.value }
            }
        }
    }

    private func end() {
        phase = .stopped
        runNumber += 1
        run?.cancel()
        run = nil
        pause?.cancel()
        pause = nil
        search?.bell.stop()
        search = nil
    }

    private func tell(_ event: MetadataQueryEvent) { for listener in listeners.values { listener.yield(event) } }
}

// Its work.
extension MetadataQuery {
    /// Returns what rings when there may be news; nil where the query has ended.
    private func gather(_ number: Int) -> AsyncStream<Void>? {
        guard number == runNumber else { return nil }
        do { if phase == .gathering { try gather() } } catch { fail(error) }
        return search?.bell.rings
    }

    private func gather() throws {
        tell(.startedGathering)
        let search = try QuerySearch(folder)
        results = try search.results(question)
        self.search = search
        phase = .live
        lastUpdate = .now
        tell(.finishedGathering(results))
    }

    private func fail(_ error: any Error) {
        failure = error
        tell(.failed(error))
        stop()
    }

    /// What to wait for before the next try; nil where this ring is done with. A ring comes before the change can be seen: a
    /// transaction is written first, made durable, and shown then.
    private func takeNews(_ number: Int, since ring: ContinuousClock.Instant) -> Task<Void, Never>? {
        guard number == runNumber, let search else { return nil }
        do {
            let now = ContinuousClock.now
            guard try search.hasNews() else {
                guard now < ring + .seconds(10) else {
                    try search.checkIndex()
                    return nil
                }
                return wait(until: now + min(max(now - ring, .milliseconds(1)), .milliseconds(20)))
            }
            if lastUpdate + batchingInterval > now { return wait(until: lastUpdate + batchingInterval) }
            try update()
            looksInVain = 0
        } catch let error as DriveError where error.kind == .corrupt && waitsOut(since: ring) {
            return wait(until: .now + .milliseconds(20))
        } catch {
            fail(error)
        }
        return nil
    }

    /// An index that is made anew is empty for a moment; on a machine that is busy for longer than that, for some looks.
    private func waitsOut(since ring: ContinuousClock.Instant) -> Bool {
        looksInVain += 1
        return .now < ring + .seconds(10) || looksInVain < 50
    }

    /// A change waits for its time.
    var isPausing: Bool { pause != nil }

    /// A task of its own, which whoever waits can hold without the query, and which another interval ends.
    private func wait(until instant: ContinuousClock.Instant) -> Task<Void, Never> {
        let pause = Task { _ = try? await Task.sleep(until: instant, clock: .continuous) }
        self.pause = pause
        return pause
    }

    /// While updates are disabled, the results are frozen.
    private func update() throws {
        guard phase == .live, let search else { return }
        guard disabled == 0 else {
            isPending = true
            return
        }
        isPending = false
        try search.take()
        let found = try search.results(question)
        let changes = MetadataChanges(from: results, to: found)
        results = found
        lastUpdate = .now
        if !changes.isEmpty { tell(.updated(changes)) }
    }

    /// Freezes the results until `enableUpdates` was called as often.
    public func disableUpdates() { disabled += 1 }

    /// The last of as many as there were `disableUpdates` takes up what has changed meanwhile.
    public func enableUpdates() throws {
        guard disabled > 0 else { return }
        disabled -= 1
        if disabled == 0, isPending { try update() }
    }

    private func checkRuns() throws {
        if let failure { throw failure }
        guard isStarted else {
            throw DriveError(.usage, "the query does not run; start it", path: folder.description)
        }
    }

    /// Returns when the results have every change that was made in the folder before the call; of a file that a program
    /// still has open for writing, what it was when the program opened it. Frozen results stay frozen. Throws `usage` where the
    /// query does not run, what has ended it where something did, and what `DriveClient.barrier(_:)` throws: before the first sync of
    /// a drive the store has to be there.
    public func barrier() async throws {
        try checkRuns()
        try await DriveClient.barrier(folder)
        try checkRuns()
        guard phase == .gathering else { return try update() }
        do { try gather() } catch {
            fail(error)
            throw error
        }
    }
}

// Its results.
extension MetadataQuery {
    public var resultCount: Int { results.count }

    /// The place of an item in the results; nil where it is not among them.
    public func index(of item: MetadataItem) -> Int? { results.firstIndex { $0.id == item.id } }

    /// For each attribute that the question names, its values and how many results have each.
    public var valueLists: [String: [AttributeValueTuple]] {
        Dictionary(question.valueListAttributes.map { ($0, results.valueList($0)) }) { first, _ in first }
    }

    /// By the grouping attributes of the question, one in the other.
    public var groupedResults: [MetadataResultGroup] { results.grouped(by: question.groupingAttributes) }
}
