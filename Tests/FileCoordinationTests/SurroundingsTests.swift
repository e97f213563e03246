import DriveCore
import Foundation
import Testing

@testable import FileCoordination

/// What a program holds that waits for this one.
final class SurroundingsTests {
    private let file = Array((NSTemporaryDirectory() + "docdrive-surroundings-\(UUID().uuidString)").utf8)

    deinit { unlink(file.map { CChar(bitPattern: $0) } + [0]) }

    /// As another process would have it: locks are those of an open file.
    private func process() -> FileClaims { FileClaims(lockFile: file) }

    private func isFree(_ claims: FileClaims, _ path: DrivePath) -> Bool {
        guard let claim = claims.trySyncing([.writing(path)]) else { return false }
        claims.endSyncing(claim, AccessReport(), moved: nil)
        return true
    }

    @Test func itCountsAsLongAsTheBodyRuns() async throws {
        let (around, own) = (process(), process())
        let holder = ClaimClient.local(around)
        var texts: [String] = []
        for path in ["One", "Two"] as [DrivePath] {
            let id = holder.newID()
            _ = try await holder.claim(id, ClaimRequest(purpose: "around", intents: [.writing(path)]))
            var surroundings = Surroundings()
            surroundings.locks = around.locks(of: [id])
            texts.append(surroundings.text)
        }
        let coordination = DriveCoordination(root: [0x2F], claims: own)
        await coordination.within(texts[0]) {
            #expect(isFree(own, "One") && !isFree(own, "Two"))
            await coordination.within(texts[1]) { #expect(isFree(own, "One") && isFree(own, "Two")) }
            #expect(isFree(own, "One") && !isFree(own, "Two"))
        }
        #expect(!isFree(own, "One") && !isFree(own, "Two"))
        #expect(!own.isInUse, "so that whoever watches is asked again")
    }
}
