import DriveCore
import DriveTesting
import DriveTransport
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
}
