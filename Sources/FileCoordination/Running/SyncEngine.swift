/// The one control thread of a drive: whoever wants something from its engine asks here, and one thing happens at a
/// time, in the order in which it was asked for. Everything runs on a thread of its own, since files and index block.
public actor SyncEngine {
    private let executor: BlockingExecutor
    private let make: @Sendable () throws -> DriveEngine
    private var engine: DriveEngine?
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The engine is made at the first use, on the thread that it stays on.
    public init(make: @escaping @Sendable () throws -> DriveEngine) {
        executor = BlockingExecutor(label: "docdrive.engine")
        self.make = make
    }

    /// Uses the engine while nobody else does: an engine that waits for its store is not free for others.
    public func use<Result: Sendable>(
        _ body: @Sendable (DriveEngine) async throws -> Result
    ) async throws -> Result {
        await enter()
        defer { leave() }
        try Task.checkCancellation()
        let engine = try engine ?? make()
        self.engine = engine
        // What it holds open of the index costs others room in the log.
        defer { try? engine.parts.state.endReading() }
        return try await body(engine)
    }

    private func enter() async {
        if !isBusy {
            isBusy = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// The next in line takes over without the engine ever being free.
    private func leave() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
}
