public import DriveCore

/// The one control thread of a drive: whoever wants something from its engine asks here, and one thing happens at a
/// time, in the order in which it was asked for. Everything runs on a thread of its own, since files and index block.
public actor SyncEngine {
    private let executor: BlockingExecutor
    private let make: @Sendable () throws -> DriveEngine
    private var engine: DriveEngine?
    /// What makes this the only engine of its drive.
    private var held: (any Sendable)?
    private nonisolated let line: EngineLine

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The engine is made at the first use, on the thread that it stays on. `held` is kept until it is closed or gone; `closed`
    /// is thrown from then on. With `isHeldUp`, everybody waits in line until `goOn`.
    public init(
        holding held: (any Sendable)? = nil, isHeldUp: Bool = false,
        closed: DriveError = DriveError(.usage, "the engine is closed; open the drive again"),
        make: @escaping @Sendable () throws -> DriveEngine
    ) {
        executor = BlockingExecutor(label: "docdrive.engine")
        line = EngineLine(isBusy: isHeldUp, closed: closed)
        self.held = held
        self.make = make
    }

    /// Uses the engine while nobody else does: an engine that waits for its store is not free for others. Who waits for it and
    /// is cancelled throws at once, and so does who has waited until `deadline` (`temporary`; nil: no end).
    public nonisolated func use<Result: Sendable>(
        until deadline: ContinuousClock.Instant? = nil, _ body: @Sendable (DriveEngine) async throws -> Result
    ) async throws -> Result {
        try await line.enter(until: deadline)
        defer { line.leave() }
        return try await run(body)
    }

    /// Of an engine that is held up: the first in line gets its turn. Once.
    public nonisolated func goOn() { line.leave() }

    private func run<Result: Sendable>(_ body: @Sendable (DriveEngine) async throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        let engine = try engine ?? make()
        self.engine = engine
        // What it holds open of the index costs others room in the log.
        defer { try? engine.parts.state.endReading() }
        return try await body(engine)
    }

    /// Whoever waits for it, and whoever asks later, is refused; returns once what is under way has ended and the engine is gone
    /// with all that it had open. More calls do no harm. Not from inside `use`: it would wait for its own end.
    public nonisolated func close() async {
        await line.close()
        await release()
    }

    /// Throws what `use` throws once it was closed, and waits for nobody.
    public nonisolated func requireOpen() throws(DriveError) { try line.requireOpen() }

    private func release() {
        engine = nil
        held = nil
    }
}
