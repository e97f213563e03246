import DriveCore
import DriveTesting
import Synchronization
import Testing

@testable import DriveTransport

/// Fails at every object of these names, and counts the calls.
private final class PartlyBrokenStore: ObjectStore {
    let broken = Mutex<Set<ObjectKey>>([])
    let calls = Mutex<[ObjectKey: Int]>([:])
    var capabilities: StoreCapabilities { StoreCapabilities() }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        calls.withLock { $0[key, default: 0] += 1 }
        if broken.withLock({ $0.contains(key) }) { throw DriveError(.temporary, "500", path: key) }
        return [1]
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {}
    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] { [] }
    func delete(_ key: ObjectKey) async throws(DriveError) {}
}

/// One object that a store fails to read keeps nothing else from being read.
struct FailingObjectTests {
    private let base = PartlyBrokenStore()
    private let clock = ManualClock()
    private let circuit: StoreCircuit

    init() { circuit = StoreCircuit(clock: clock) }

    private var store: RetryingObjectStore {
        RetryingObjectStore(
            base, circuit: circuit, clock: clock, entropy: SeededEntropy(seed: 1),
            sleep: { [clock] seconds async throws(CancellationError) in clock.advance(by: UInt64(seconds * 1000)) })
    }

    private func failure(_ key: ObjectKey) async -> DriveError.Kind? {
        do { _ = try await store.get(key, range: nil) } catch { return error.kind }
        return nil
    }

    private func calls(_ key: ObjectKey) -> Int { base.calls.withLock { $0[key] ?? 0 } }

    @Test func itIsThatObjectsWhereTheStoreAnswersOtherwise() async {
        base.broken.withLock { $0 = ["dd1/x/pack/a", "dd1/x/pack/b"] }
        #expect(await failure("dd1/x/pack/a") == .objectFailed)
        #expect(calls("dd1/x/pack/a") == RetryRule().triesOfBusy)
        #expect(await failure("dd1/x/pack/c") == nil)
        // Not asked again at once, and of others fewer calls tell.
        #expect(await failure("dd1/x/pack/a") == .objectFailed)
        #expect(calls("dd1/x/pack/a") == RetryRule().triesOfBusy)
        #expect(await failure("dd1/x/pack/b") == .objectFailed)
        #expect(calls("dd1/x/pack/b") == 2)
        clock.advance(by: 60_000)
        #expect(await failure("dd1/x/pack/a") == .objectFailed)
        #expect(calls("dd1/x/pack/a") == RetryRule().triesOfBusy + 1)
        clock.advance(by: 60_000)
        #expect(await failure("dd1/x/pack/a") == .objectFailed)
        #expect(calls("dd1/x/pack/a") == RetryRule().triesOfBusy + 1)
        // Mended, it is had once somebody asks for it.
        base.broken.withLock { $0 = [] }
        circuit.close()
        #expect(await failure("dd1/x/pack/a") == nil)
    }

    @Test func itIsTheStoresWhereThatAnswersNothing() async {
        base.broken.withLock { $0 = ["dd1/x/pack/a", "dd1/x/format"] }
        for _ in 0..<2 { #expect(await failure("dd1/x/pack/a") == .temporary) }
        #expect(await failure("dd1/x/format") == .temporary)
    }
}
