import DriveCore
import DriveTesting
import Synchronization
import Testing

@testable import FileCoordination

/// What somebody who coordinates is writing, and scans.
struct ClaimedScanTests {
    private let clock = ManualClock()
    private let claims = FileClaims()
    private let device: EngineDevice
    private let client: UInt64

    /// Called when a file is about to be read.
    private final class Hook: Sendable {
        let body = Mutex<(@Sendable () -> Void)?>(nil)
        func run() { body.withLock { $0.take() }?() }
    }
    private let hook = Hook()

    init() {
        var setup = DeviceSetup(number: 0, store: MemoryObjectStore(clock: clock), clock: clock, seed: 7)
        setup.folder = MemoryFolder(clock: clock, options: MemoryFolder.Options())
        device = EngineDevice(setup) { [hook] options in
            options.mayRead = { _, _, _ in
                hook.run()
                return true
            }
        }
        device.engine.parts.claims = claims
        client = claims.join { _ in }
    }

    private func begin(_ intent: FileIntent, purpose: String = "editing") {
        Self.begin(claims, client, intent, purpose)
    }

    private static func begin(_ claims: FileClaims, _ client: UInt64, _ intent: FileIntent, _ purpose: String) {
        let request = ClaimRequest(purpose: purpose, intents: [intent])
        claims.hear(.claim(ClaimID(client: client, number: 1), request), from: client)
    }

    private func end() { claims.hear(.release(ClaimID(client: client, number: 1), AccessReport()), from: client) }

    private func scan() async throws -> Int {
        clock.advance(by: RunPlan.tick)
        return try await device.scan()
    }

    private func write(_ bytes: [UInt8], _ path: DrivePath) throws {
        device.folder.write(bytes, at: try #require(device.folder.place(path)))
    }

    private func arrange() async throws {
        for name in ["a", "b"] as [DrivePath] {
            device.folder.create([1], at: try #require(device.folder.place(name)))
        }
        #expect(try await scan() == 2)
        #expect(try await scan() == 0)
    }

    @Test func whatIsBeingWrittenIsLeftAndTheRestIsNot() async throws {
        try await arrange()
        begin(.writing("a"))
        try write([2], "a")
        try write([2], "b")
        #expect(try await scan() == 1)
        #expect(try StandingMemory(device.state).obstacles().map(\.cause) == [.inUse])
        let freed = Mutex<FreedItems?>(nil)
        claims.setWhenFreed { news in freed.withLock { $0 = news } }
        end()
        #expect(freed.withLock { $0?.unread } == ["a"])
        #expect(freed.withLock { $0?.concernsApply } == false)
        #expect(try await scan() == 1)
        #expect(try StandingMemory(device.state).obstacles().isEmpty)
    }

    @Test(arguments: [FileIntent.reading("a"), .writing("b"), .writing("a/b")])
    func whoDoesNotWriteItIsInNobodysWay(_ intent: FileIntent) async throws {
        try await arrange()
        begin(intent)
        try write([2], "a")
        #expect(try await scan() == 1)
    }

    /// A folder that somebody moves or deletes goes with all that is in it.
    @Test func whatIsInAFolderThatGoesAwayIsLeft() async throws {
        device.folder.makeFolder(at: try #require(device.folder.place("c")))
        device.folder.create([1], at: try #require(device.folder.place("c/d")))
        #expect(try await scan() == 2)
        begin(.writing("c", options: .forMoving))
        try write([2], "c/d")
        #expect(try await scan() == 0)
        end()
        #expect(try await scan() == 1)
    }

    @Test func whoBeginsWhileItIsReadIsNoticed() async throws {
        try await arrange()
        hook.body.withLock { [claims, client] in $0 = { Self.begin(claims, client, .writing("a"), "editing") } }
        try write([2], "a")
        #expect(try await scan() == 0)
        end()
        #expect(try await scan() == 1)
    }

    @Test func anAccessThatTheScanIsAPartOfDoesNotCount() async throws {
        try await arrange()
        begin(.writing("a"), purpose: "mine")
        try write([2], "a")
        #expect(try await scan() == 0)
        clock.advance(by: RunPlan.tick)
        let records = try await DriveCoordination.joining(["mine"]) { try await device.scan() }
        #expect(records == 1)
    }

    @Test func whatIsGoneWhileItIsWrittenIsNotDeleted() async throws {
        try await arrange()
        begin(.writing("a"))
        device.folder.remove(at: try #require(device.folder.place("a")))
        device.folder.remove(at: try #require(device.folder.place("b")))
        #expect(try await scan() == 1)
        #expect(try device.state.rowCount() == 1)
        #expect(try StandingMemory(device.state).obstacles().map(\.path) == ["a"])
        end()
        #expect(try await scan() == 1)
        #expect(try device.state.rowCount() == 0)
    }
}
