import Dispatch
import DriveCore
import Foundation
import Testing

@testable import FileCoordination

/// An arbiter that is killed leaves what it granted without locks, until whoever has it notices.
final class OrphanedClaimTests {
    private let file = Array((NSTemporaryDirectory() + "docdrive-orphans-\(UUID().uuidString)").utf8)

    deinit { unlink(file.map { CChar(bitPattern: $0) } + [0]) }

    /// As another process would have it: locks are those of an open file.
    private func process(handover: DispatchTimeInterval = .seconds(86_400)) -> FileClaims {
        FileClaims(lockFile: file, handover: handover)
    }

    private final class Asker: Sendable {
        let client: ClaimClient
        let id: ClaimID
        init(_ claims: FileClaims) {
            client = ClaimClient.local(claims)
            id = client.newID()
        }
        func claim(_ path: DrivePath) -> Task<[FileIntent], any Error> {
            Task {
                try await client.claim(
                    id, ClaimRequest(purpose: "\(ObjectIdentifier(self))", intents: [.writing(path)]))
            }
        }
        func release() { client.release(id, AccessReport()) }
    }

    /// The number of a process that is none.
    private static let killed: Int32 = 4_194_305

    @Test func whoHoldsItGetsItsLocksBeforeAnybodyElse() async throws {
        let (holder, newcomer) = (process(), process())
        holder.setAsking(true, arbiter: Self.killed)
        let asker = Asker(newcomer)
        let claim = asker.claim("File")
        while !asker.client.isWaiting(asker.id) { await Task.yield() }
        #expect(newcomer.trySyncing([.writing("File")]) == nil)
        #expect(newcomer.isBeingWritten("Other"))
        let heir = Asker(holder)
        holder.adopt(heir.id, ClaimRequest(purpose: "held", intents: [.writing("File")]))
        holder.lost(arbiter: Self.killed)
        // What is not held is free at once, and what is held is not.
        let other = Asker(newcomer)
        _ = try await other.claim("Other").value
        #expect(asker.client.isWaiting(asker.id))
        heir.release()
        _ = try await claim.value
    }

    @Test func aNewArbiterWaitsForThemToo() async throws {
        let (holder, arbiter) = (process(), process())
        holder.setAsking(true, arbiter: Self.killed)
        arbiter.isServing = true
        let asker = Asker(arbiter)
        let claim = asker.claim("File")
        while !asker.client.isWaiting(asker.id) { await Task.yield() }
        #expect(arbiter.trySyncing([.writing("Other")]) == nil)
        holder.setAsking(false, arbiter: Self.killed)
        _ = try await claim.value
        // Its own clients are no orphans, nor are any that come later.
        holder.setAsking(true, arbiter: getpid())
        #expect(arbiter.trySyncing([.writing("Third")]) != nil)
    }

    @Test func whereTheArbiterLivesNobodyWaits() async throws {
        let (arbiter, holder, newcomer) = (process(), process(), process())
        arbiter.isServing = true
        holder.setAsking(true, arbiter: getpid())
        #expect(newcomer.trySyncing([.writing("File")]) != nil)
    }

    /// It may be stopped, and would keep everybody from everything.
    @Test func oneThatNeverNoticesIsNotWaitedForForEver() async throws {
        let (holder, newcomer) = (process(), process(handover: .milliseconds(100)))
        holder.setAsking(true, arbiter: Self.killed)
        _ = try await Asker(newcomer).claim("File").value
    }
}
