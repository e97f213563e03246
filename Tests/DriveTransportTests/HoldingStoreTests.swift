import DriveCore
import DriveTesting
import Synchronization
import Testing

@testable import DriveTransport

struct HoldingStoreTests {
    private let base = MemoryObjectStore()
    private let kept = MemoryObjectStore()
    private let hold = HoldSwitch()

    private var store: HoldingObjectStore {
        let place = kept.view(for: 1)
        return HoldingObjectStore(base.view(for: 1), hold: hold) { place }
    }

    @Test(arguments: ObjectStoreContract.promises)
    func itKeepsThePromise(_ promise: ObjectStoreContract.Promise) async throws {
        try await promise.check {
            let (base, kept) = (MemoryObjectStore().view(for: 1), MemoryObjectStore().view(for: 1))
            return HoldingObjectStore(base, hold: HoldSwitch()) { kept }
        }
    }

    @Test func whatIsPutMeanwhileStaysHereAndCanBeRead() async throws {
        hold.isOn = true
        try await store.put("pack/a", [1, 2, 3])
        #expect(base.keys.isEmpty)
        #expect(try await store.get("pack/a", range: 1..<3) == [2, 3])
    }

    @Test func whatIsKeptIsForgottenOnceTheStoreHasIt() async throws {
        let id = StoreID(high: 1, low: 2)
        let prefix = id.objectPrefix
        hold.isOn = true
        for key in ["pack/a", "pack/b"] { try await store.put(prefix + key, [1]) }
        hold.isOn = false
        let unsent = store.unsent(of: id)
        #expect(try await unsent.list().map(\.key) == ["pack/a", "pack/b"])
        base.setHook(for: 1) { operation in
            operation.kind == .put ? .failure(DriveError(.unreachable, "The store cannot be reached")) : nil
        }
        await #expect(throws: DriveError.self) { try await unsent.send("pack/a") }
        #expect(base.keys.isEmpty && kept.keys == [prefix + "pack/a", prefix + "pack/b"])
        base.setHook(for: 1, nil)
        try await unsent.send("pack/a")
        try await unsent.send("pack/a")
        #expect(base.keys == [prefix + "pack/a"] && kept.keys == [prefix + "pack/b"])
        try await unsent.drop(["pack/b"])
        #expect(base.keys == [prefix + "pack/a"] && kept.keys.isEmpty)
    }

    @Test func whatIsNotKeptAnyMoreIsToldOnce() async throws {
        let id = StoreID(high: 1, low: 2)
        let told = Mutex<[Set<ObjectKey>]>([])
        let place = kept.view(for: 1)
        let store = HoldingObjectStore(
            base.view(for: 1), hold: hold, kept: { place }, lessened: { keys in told.withLock { $0.append(keys) } })
        hold.isOn = true
        for key in ["pack/a", "pack/b", "pack/c"] { try await store.put(id.objectPrefix + key, [1]) }
        hold.isOn = false
        let unsent = store.unsent(of: id)
        unsent.settle()
        try await unsent.send("pack/a")
        try await unsent.drop(["pack/b"])
        for _ in 0..<2 { unsent.settle() }
        #expect(told.withLock { $0 } == [["pack/a", "pack/b"]])
    }

    @Test func whoeverLooksWhatTheStoreHasFindsWhatWasKept() async throws {
        hold.isOn = true
        try await store.put("pack/a", [1])
        #expect(try await store.list(prefix: "", after: nil, limit: 9).isEmpty)
        hold.isOn = false
        #expect(try await store.list(prefix: "", after: nil, limit: 9).map(\.key) == ["pack/a"])
    }

    /// A full store has to be tidied to have room, and what is kept may be more than that.
    @Test func whatIsKeptIsInTheWayOfNothing() async throws {
        for key in ["pack/a", "pack/c"] { try await base.view(for: 1).put(key, [0]) }
        hold.isOn = true
        for key in ["pack/b", "pack/d"] { try await store.put(key, [1]) }
        hold.isOn = false
        base.setHook(for: 1) { operation in
            operation.kind == .put && operation.key.hasPrefix("pack/")
                ? .failure(DriveError(.noSpace, "The store is full")) : nil
        }
        #expect(try await store.list(prefix: "pack/", after: "pack/a", limit: 2).map(\.key) == ["pack/b", "pack/c"])
        for key in ["dd1/x/head/a", "dd1/x/log/a"] { try await store.put(key, [2]) }
        #expect(base.keys == ["dd1/x/head/a", "dd1/x/log/a", "pack/a", "pack/c"])
        #expect(kept.keys == ["pack/b", "pack/d"])
    }

    @Test func withoutAPlaceToKeepItNothingIsPut() async throws {
        hold.isOn = true
        let store = HoldingObjectStore(base.view(for: 1), hold: hold) { nil }
        await #expect(throws: DriveError.self) { try await store.put("pack/a", [1]) }
        #expect(base.keys.isEmpty)
    }
}
