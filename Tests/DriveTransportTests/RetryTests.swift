import DriveCore
import DriveTesting
import Synchronization
import Testing

@testable import DriveTransport

/// A store whose calls fail as a list says, one entry a call; nil lets one through.
private final class FailingStore: ObjectStore {
    private let failures: Mutex<[DriveError?]>
    private let made = Mutex(0)
    var calls: Int { made.withLock { $0 } }
    var capabilities: StoreCapabilities { StoreCapabilities() }

    init(_ failures: [DriveError?]) { self.failures = Mutex(failures) }

    private func call() throws(DriveError) {
        made.withLock { $0 += 1 }
        let failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let failure { throw failure }
    }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        try call()
        return [1]
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) { try call() }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try call()
        return []
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try call() }
}

/// A retrying store whose sleep moves its clock.
private final class Bench: Sendable {
    let base: FailingStore
    let clock = ManualClock()
    let circuit: StoreCircuit
    let waits = Mutex<[StoreWait?]>([])
    let slept = Mutex<[Double]>([])

    init(_ failures: [DriveError?]) {
        base = FailingStore(failures)
        circuit = StoreCircuit(clock: clock)
    }

    var store: RetryingObjectStore {
        RetryingObjectStore(
            base, circuit: circuit, clock: clock, entropy: SeededEntropy(seed: 1),
            sleep: { [self] seconds async throws(CancellationError) in
                slept.withLock { $0.append(seconds) }
                clock.advance(by: UInt64(seconds * 1000))
            }, tell: { [self] wait in waits.withLock { $0.append(wait) } })
    }
}

@Suite struct RetryTests {
    private static let busy = DriveError(.temporary, "slow down")
    private static let gone = DriveError(.unreachable, "no answer")

    @Test func whatPassesIsTriedAgainAndNobodyHears() async throws {
        let bench = Bench([Self.busy, Self.gone, nil])
        #expect(try await bench.store.get("a", range: nil) == [1])
        #expect(bench.base.calls == 3)
        // Half a second and one, each at least half of that.
        let slept = bench.slept.withLock { $0 }
        #expect(slept.count == 2 && (0.25...0.5).contains(slept[0]) && (0.5...1).contains(slept[1]))
        // Who looks on is told of both waits, and that it goes on.
        #expect(bench.waits.withLock { $0.map { $0?.error } } == [Self.busy, Self.gone, nil])
    }

    @Test(arguments: [DriveError.Kind.permissionDenied, .noSpace, .corrupt, .usage, .newerFormat])
    func whatDoesNotPassIsNotTriedAgain(_ kind: DriveError.Kind) async throws {
        let bench = Bench([DriveError(kind, "no")])
        await #expect(throws: DriveError(kind, "no")) { try await bench.store.put("a", []) }
        #expect(bench.base.calls == 1)
        // And it says nothing of the next call.
        try await bench.store.put("a", [])
    }

    @Test func theStoresOwnTimeIsWaited() async throws {
        let bench = Bench([DriveError(.temporary, "slow down", retryAfter: 7), nil])
        try await bench.store.delete("a")
        #expect(bench.slept.withLock { $0 } == [7])
    }

    @Test func aLongerTimeIsForTheCallerWithTheTime() async throws {
        let bench = Bench([DriveError(.temporary, "maintenance", retryAfter: 300)])
        let error = await #expect(throws: DriveError.self) { try await bench.store.delete("a") }
        #expect(error?.retryAfter == 300 && bench.base.calls == 1)
        // Nobody asks it before.
        bench.clock.advance(by: 200_000)
        let refused = await #expect(throws: DriveError.self) { try await bench.store.delete("a") }
        #expect(refused?.retryAfter == 100 && bench.base.calls == 1)
        bench.clock.advance(by: 100_000)
        try await bench.store.delete("a")
    }

    @Test func oneCallFindsOutThatTheStoreIsGone() async throws {
        let bench = Bench(Array(repeating: Self.gone, count: 6))
        await #expect(throws: Self.gone) { try await bench.store.delete("a") }
        #expect(bench.base.calls == 3)
        // The others are told at once.
        for _ in 0..<10 { await #expect(throws: DriveError.self) { try await bench.store.delete("a") } }
        #expect(bench.base.calls == 3)
        // After a second one goes through, and then it takes longer.
        bench.clock.advance(by: 1_000)
        await #expect(throws: Self.gone) { try await bench.store.delete("a") }
        #expect(bench.base.calls == 6)
        bench.clock.advance(by: 1_500)
        await #expect(throws: DriveError.self) { try await bench.store.delete("a") }
        #expect(bench.base.calls == 6)
        bench.clock.advance(by: 500)
        try await bench.store.delete("a")
        #expect(bench.circuit.refusal() == nil)
    }

    /// Servers shut out whoever comes with a wrong password again and again.
    @Test func aLoginThatWasRefusedIsTriedLaterEachTime() async throws {
        let refused = DriveError(.notAuthenticated, "who are you?")
        let bench = Bench(Array(repeating: refused, count: 100))
        var tries: [Int] = []
        for minute in 0..<(4 * 60) {
            let before = bench.base.calls
            // Several at once, as of a pass; none is told to wait.
            for _ in 0..<3 { await #expect(throws: refused) { try await bench.store.delete("a") } }
            if bench.base.calls > before { tries.append(minute) }
            bench.clock.advance(by: 60_000)
        }
        #expect(tries == [0, 1, 3, 7, 15, 31, 63, 123, 183])
        #expect(bench.base.calls == tries.count)
        bench.circuit.close()
        await #expect(throws: refused) { try await bench.store.delete("a") }
        #expect(bench.base.calls == tries.count + 1)
    }

    /// However often somebody asks, the tries that go on by themselves are as far apart as before.
    @Test func whoAsksForALoginDoesNotPutItOff() async throws {
        let refused = DriveError(.notAuthenticated, "who are you?")
        let bench = Bench(Array(repeating: refused, count: 20))
        for _ in 0..<8 {
            await #expect(throws: refused) { try await bench.store.delete("a") }
            bench.circuit.close()
            bench.circuit.close()
        }
        await #expect(throws: refused) { try await bench.store.delete("a") }
        bench.clock.advance(by: 60_000)
        #expect(bench.circuit.refusal() == nil)
    }

    /// What it could not be reached for before says nothing of the login.
    @Test func aRefusedLoginCountsByItself() async throws {
        let bench = Bench(Array(repeating: Self.gone, count: 9) + [DriveError(.notAuthenticated, "who are you?"), nil])
        for _ in 0..<3 {
            await #expect(throws: Self.gone) { try await bench.store.delete("a") }
            bench.clock.advance(by: 4_000)
        }
        await #expect(throws: DriveError.self) { try await bench.store.delete("a") }
        bench.clock.advance(by: 60_000)
        try await bench.store.delete("a")
        #expect(bench.circuit.refusal() == nil)
    }

    @Test func whoeverAsksIsNotHeldUpByWhatWas() async throws {
        let bench = Bench(Array(repeating: Self.gone, count: 3))
        await #expect(throws: Self.gone) { try await bench.store.delete("a") }
        bench.circuit.close()
        try await bench.store.delete("a")
    }

    @Test func aClockThatIsSetBackHoldsNothingForEver() async throws {
        let bench = Bench(Array(repeating: Self.gone, count: 3))
        bench.clock.advance(by: 10_000_000)
        await #expect(throws: Self.gone) { try await bench.store.delete("a") }
        bench.clock.advance(by: 0 &- 9_999_000)
        #expect(bench.circuit.refusal() == nil)
    }

    @Test func theRuleEndsWithItsPatience() {
        let rule = RetryRule()
        var waited = 0.0
        var calls = 1
        while let pause = rule.pause(after: Self.busy, calls: calls, waited: waited, jitter: 1) {
            waited += pause
            calls += 1
        }
        #expect(waited <= rule.patience && calls == rule.triesOfBusy)
    }
}

@Suite struct BandwidthTests {
    @Test(
        arguments: [
            ("512K", 524_288, 524_288), ("100", 102_400, 102_400), ("1.5M:off", 1_572_864, nil),
            ("off:2G", nil, 2_147_483_648),
            ("off", nil, nil), ("2048b", 2048, 2048),
        ] as [(String, UInt64?, UInt64?)])
    func ratesAreRead(_ text: String, _ up: UInt64?, _ down: UInt64?) throws {
        let rates = try #require(BandwidthRates(text))
        #expect(rates == BandwidthRates(up: up, down: down))
        #expect(BandwidthRates(rates.text) == rates)
    }

    @Test(arguments: ["", "x", "0", "-1", "1K:2K:3K", "1T", "512B", "nan", "1e99", ":", "1K:"])
    func whatIsNoRateIsRefused(_ text: String) { #expect(BandwidthRates(text) == nil) }

    @Test func transfersTogetherStayWithinTheRate() async {
        let slept = Mutex(Duration.zero)
        let limit = BandwidthLimit(BandwidthRates(up: 1_000_000, down: nil)) { wait in
            slept.withLock { $0 = max($0, wait) }
        }
        // The sleep does not sleep here, so the waits add up: ten megabytes take ten seconds, less what a bucket holds.
        for _ in 0..<100 { await limit.pace.pass(.up, 100_000) }
        let longest = slept.withLock { $0 }
        #expect(longest > .seconds(9) && longest <= .seconds(10))
        await limit.pace.pass(.down, 1 << 40)
        #expect(slept.withLock { $0 } == longest)
    }

    /// What was stopped while it waited did not go.
    @Test func whatDidNotGoTakesNothingOfTheRate() async {
        let waits = Mutex<[Duration]>([])
        let limit = BandwidthLimit(BandwidthRates(up: 1_000, down: nil)) { wait in waits.withLock { $0.append(wait) } }
        // Not the test's own task, which goes on.
        let stopped = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await limit.pace.pass(.up, 4_000_000)
        }
        await stopped.value
        await limit.pace.pass(.up, 10_000)
        #expect(waits.withLock { $0.first ?? .zero } > .seconds(3_000))
        #expect(waits.withLock { $0.last ?? .zero } <= .seconds(10))
    }
}
