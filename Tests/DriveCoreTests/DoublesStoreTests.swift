import DriveCore
import DriveTesting
import Testing

@Suite struct DoublesStoreTests {
    private let clock = ManualClock()

    @Test func objectsBecomeVisibleToEachReaderInTheirOwnTime() async throws {
        let store = MemoryObjectStore(clock: clock, mode: .sync(seed: 3, delays: [0, 10, 20]))
        for number in 0..<60 { try await store.view(for: 0).put("k/\(number)", [1]) }
        let early = (try await seen(store, 1), try await seen(store, 2))
        #expect(early.0 != early.1)
        #expect(early.0.count > 5 && early.0.count < 40)
        #expect(try await seen(store, 0).count == 60)
        clock.advance(by: 10)
        let later = try await seen(store, 1)
        #expect(later.isStrictSuperset(of: early.0) && later.count < 60)
        clock.advance(by: 10)
        #expect(try await seen(store, 1).count == 60)
    }

    private func seen(_ store: MemoryObjectStore, _ reader: Int) async throws -> Set<ObjectKey> {
        Set(try await store.view(for: reader).listAll(prefix: "k/").map(\.key))
    }

    @Test func deletedObjectsMayLinger() async throws {
        let store = MemoryObjectStore(clock: clock, mode: .sync(seed: 3, delays: [10], delaysDeletes: true))
        try await store.view(for: 0).put("k/a", [1])
        clock.advance(by: 10)
        try await store.view(for: 0).delete("k/a")
        #expect(try await seen(store, 0) == [])
        #expect(try await seen(store, 1) == ["k/a"])
        clock.advance(by: 10)
        #expect(try await seen(store, 1) == [])
    }

    @Test func aTornPutLeavesAPartAndCanBeFinished() async throws {
        let store = MemoryObjectStore(clock: clock)
        let view = store.view(for: 0)
        store.setHook(for: 0) { $0.number == 0 ? .torn(kept: 2) : nil }
        await #expect(throws: DriveError.self) { try await view.put("k", [1, 2, 3]) }
        #expect(try await view.get("k", range: nil) == [1, 2])
        try await view.put("k", [1, 2, 3])
        #expect(try await view.get("k", range: nil) == [1, 2, 3])
        #expect(store.violations.isEmpty)
    }

    @Test func aLostAnswerStoresTheObject() async throws {
        let store = MemoryObjectStore(clock: clock)
        store.setHook(for: 0) { $0.kind == .put ? .lostAnswer : nil }
        await #expect(throws: DriveError.self) { try await store.view(for: 0).put("k", [1]) }
        #expect(store.bytes(of: "k") == [1])
    }

    @Test func aKilledReaderIsDeadUntilItStartsAgain() async throws {
        let store = MemoryObjectStore(clock: clock)
        store.setHook(for: 0) { $0.kind == .put ? .killedTorn(kept: 1) : nil }
        await #expect(throws: DriveError.simulatedCrash) { try await store.view(for: 0).put("k", [1, 2]) }
        await #expect(throws: DriveError.simulatedCrash) { try await store.view(for: 0).get("k", range: nil) }
        #expect(try await store.view(for: 1).get("k", range: nil) == [1])
        store.restart(0)
        #expect(try await store.view(for: 0).get("k", range: nil) == [1])
    }

    @Test func differentBytesUnderOneKeyAreAViolation() async throws {
        let store = MemoryObjectStore(clock: clock)
        try await store.view(for: 0).put("k", [1])
        await #expect(throws: DriveError.self) { try await store.view(for: 1).put("k", [2]) }
        #expect(store.violations.count == 1)
        #expect(store.bytes(of: "k") == [1])
    }

    @Test func aStoreCanBeFullAwayRolledBackAndDamaged() async throws {
        let store = MemoryObjectStore(clock: clock)
        let view = store.view(for: 0)
        try await view.put("a", [1, 2])
        let image = store.image()
        try await view.put("b", [3])
        store.rollBack(to: image)
        #expect(store.keys == ["a"])
        store.setCapacity(3)
        await #expect(throws: DriveError.self) { try await view.put("c", [1, 2]) }
        try await view.put("d", [1])
        store.setReachable(false, for: 0)
        await #expect(throws: DriveError.self) { try await view.get("a", range: nil) }
        #expect(try await store.view(for: 1).get("a", range: nil) == [1, 2])
        store.damage("a") { [$0[0] ^ 4] + $0.dropFirst() }
        #expect(try await store.view(for: 1).get("a", range: nil) == [5, 2])
    }
}
