import DriveCore
import DriveTesting
import DriveTransport
import Synchronization
import Testing

@testable import DocumentDrive

struct TrialVerdictTests {
    private func finding(_ promise: String, isKept: Bool, isNeeded: Bool = true) -> StoreTrial.Finding {
        StoreTrial.Finding(promise: promise, isKept: isKept, isNeeded: isNeeded)
    }

    @Test func onlyWhatADriveNeedsMakesAPlaceUnfit() {
        let kept = finding("bytes come back", isKept: true)
        let broken = finding("lists are whole", isKept: false)
        let noRemoval = finding("a deleted object is gone", isKept: false, isNeeded: false)
        let remains = finding(StoreTrial.tidiness, isKept: false, isNeeded: false)
        let verdicts: [([StoreTrial.Finding], TrialVerdict)] = [
            ([kept], .good), ([kept, noRemoval, remains], .growing), ([noRemoval], .growing),
            ([kept, remains], .untidy), ([kept, broken, noRemoval], .unfit(1)), ([broken, broken], .unfit(2)),
        ]
        for (findings, verdict) in verdicts { #expect(TrialVerdict(findings) == verdict, "\(findings)") }
        #expect(TrialVerdict.growing.isFit && !TrialVerdict.unfit(1).isFit)
    }

    /// Devices publish, whether what they replace goes or not.
    @Test func aStoreThatRemovesNothingKeepsAllThatADriveNeeds() async throws {
        func store() -> MemoryObjectStore {
            let store = MemoryObjectStore(clock: ManualClock())
            store.setHook(for: 0) { operation in
                operation.kind == .delete ? .failure(DriveError(.permissionDenied, "nothing is removed here")) : nil
            }
            return store
        }
        for promise in ObjectStoreContract.promises {
            do { try await promise.check { store().view(for: 0) } } catch {
                #expect(!promise.isNeeded && error is ContractViolation, "\(promise): \(error)")
            }
        }
        let shared = store()
        let report = try await PublishingRace(commits: 5).check([shared.view(for: 0), shared.view(for: 0)])
        #expect(report?.hasPrefix("10 commits") == true, "\(report as Any)")
    }

    /// It is back when the trial has ended, and nobody asks it later.
    @Test func aStoreThatFailsForAMomentIsLeftTidy() async throws {
        let memory = MemoryObjectStore(clock: ManualClock())
        let puts = Mutex(0)
        memory.setHook(for: 0) { operation in
            guard operation.kind == .put else { return nil }
            let number = puts.withLock { count in
                count += 1
                return count
            }
            return number == 5 ? .failure(DriveError(.notAuthenticated, "who are you?")) : nil
        }
        var opened = StoreTrial(try StoreAddress(Array("webdav://127.0.0.1/x".utf8)))
        opened.opening = { address, _ in StoreAccess(address, over: Place(base: memory.view(for: 0))) }
        let trial = opened
        let error = await #expect(throws: DriveError.self) { try await trial.run { _ in } }
        #expect(error?.message == "who are you?")
        #expect(try await memory.view(for: 0).listAll(prefix: "").isEmpty)
    }
}

/// A store and its place.
private struct Place: ObjectStore, StoreLocation {
    let base: any ObjectStore
    var capabilities: StoreCapabilities { base.capabilities }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        try await base.get(key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) { try await base.put(key, bytes) }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }

    func look() async throws(DriveError) -> StoreFinding { .empty }

    func create() async throws(DriveError) {}

    func remove() async throws(DriveError) {
        let rest = try await base.list(prefix: "", after: nil, limit: 1)
        if let rest = rest.first { throw DriveError(.usage, "it is not empty", path: rest.key) }
    }
}
