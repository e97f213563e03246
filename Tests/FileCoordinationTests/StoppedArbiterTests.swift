import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DriveCore
@testable import FileCoordination

/// The process that watches the drive is stopped: the kernel takes what is sent to it, and nobody answers.
struct StoppedArbiterTests {
    private final class Shown: FilePresenter {
        let presentedItemPath: DrivePath? = "Letter"
    }

    /// When it was stopped: before anybody asked, or in the middle of it.
    enum Moment: CaseIterable { case before, welcomed }

    /// Runs the body beside an arbiter that went no further.
    private func stopped(_ moment: Moment, _ body: (DriveCoordination) async throws -> Void) async throws {
        let house = try ArbiterHouse()
        let (listener, _) = try house.place.listen()
        defer { close(listener) }
        let welcome = Task.detached {
            guard moment == .welcomed else { return nil as SocketConnection? }
            let connection = SocketConnection(await SocketConnection.blocking { accept(listener, nil, nil) })
            _ = try await connection.receive(DriveRequest.self)
            try await connection.send(ClaimNews.welcome(7))
            return connection
        }
        try await body(house.coordination())
        // Kept until here: its end would be one of the arbiter.
        try await welcome.value?.shut()
    }

    @Test(arguments: Moment.allCases) func whoIsCancelledGoesOn(_ moment: Moment) async throws {
        try await stopped(moment) { coordination in
            let claim = Task {
                try await coordination.coordinator().coordinate(writing: "Letter") { _ in }
            }
            // It is the same whether it is there yet or not.
            for _ in 0..<100 { await Task.yield() }
            claim.cancel()
            await #expect(throws: CancellationError.self) { try await claim.value }
        }
    }

    @Test(arguments: Moment.allCases) func aCoordinatorThatIsCancelledLetsItsCallersGo(_ moment: Moment) async throws {
        try await stopped(moment) { coordination in
            let coordinator = coordination.coordinator()
            let claims = (0..<3).map { _ in Task { try await coordinator.coordinate(writing: "Letter") { _ in } } }
            for _ in 0..<100 { await Task.yield() }
            coordinator.cancel()
            for claim in claims { await #expect(throws: CancellationError.self) { try await claim.value } }
        }
    }

    @Test(arguments: Moment.allCases) func presentersAreAddedAndTakenAwayByCancelledTasks(_ moment: Moment) async throws
    {
        try await stopped(moment) { coordination in
            let shown = Shown()
            let adding = Task { await coordination.add(shown) }
            for _ in 0..<100 { await Task.yield() }
            adding.cancel()
            await adding.value
            let removing = Task { await coordination.remove(shown) }
            removing.cancel()
            await removing.value
        }
    }

    /// The arbiter granted it before it heard that nobody wants it.
    @Test func whatIsGrantedTooLateIsGivenBack() async throws {
        let said = Mutex<[ClaimCall]>([])
        let client = ClaimClient()
        client.begin(7) { call in said.withLock { $0.append(call) } }
        let (id, intents) = (client.newID(), [FileIntent.writing("Letter")])
        let claim = Task { try await client.claim(id, ClaimRequest(purpose: "test", intents: intents)) }
        try await until { said.withLock { !$0.isEmpty } && client.isWaiting(id) }
        claim.cancel()
        await #expect(throws: CancellationError.self) { try await claim.value }
        client.hear(.granted(id, intents))
        let released = said.withLock { calls in
            calls.contains { if case .release(id, _) = $0 { true } else { false } }
        }
        #expect(released)
    }

    /// Answers come in the order of what was said, whoever still waits for them.
    @Test func theAnswerToOneThatGaveUpIsNotThatOfTheNext() async throws {
        let client = ClaimClient()
        let said = Atomic(0)
        client.begin(7) { _ in said.wrappingAdd(1, ordering: .relaxed) }
        let run = PresenterRun(Shown(), 1, purpose: "test")
        let presentation = Presentation(path: "Letter", purpose: "test", patience: 0)
        let first = Task { try await client.present(run, presentation) }
        try await until { said.load(ordering: .relaxed) == 1 }
        let second = Task { try await client.present(run, presentation) }
        try await until { said.load(ordering: .relaxed) == 2 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let id = client.id(ofPresenter: 1)
        let isOver = Atomic(false)
        let watching = Task {
            try await second.value
            isOver.store(true, ordering: .relaxed)
        }
        client.hear(.presented(id))
        for _ in 0..<100 { await Task.yield() }
        let isEarly = isOver.load(ordering: .relaxed)
        #expect(!isEarly)
        client.hear(.presented(id))
        try await watching.value
    }
}
