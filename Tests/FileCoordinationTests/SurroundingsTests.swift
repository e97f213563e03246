import DriveCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileCoordination

/// What a program holds that waits for this one.
final class SurroundingsTests {
    private let file = Array((NSTemporaryDirectory() + "docdrive-surroundings-\(UUID().uuidString)").utf8)
    private var otherFile: [UInt8] { file + Array("-other".utf8) }

    deinit { for path in [file, otherFile] { unlink(path.map { CChar(bitPattern: $0) } + [0]) } }

    /// As another process would have it: locks are those of an open file.
    private func process() -> FileClaims { FileClaims(lockFile: file) }

    private func isFree(_ claims: FileClaims, _ path: DrivePath) -> Bool {
        guard let claim = claims.trySyncing([.writing(path)]) else { return false }
        claims.endSyncing(claim, AccessReport(), moved: nil)
        return true
    }

    private func way(_ claims: FileClaims) -> DriveCoordination { DriveCoordination(root: [0x2F], claims: claims) }

    /// Runs the body within an access of that process, with what a program would be told that is started there.
    private func holding(_ path: DrivePath, _ claims: FileClaims, _ body: (String) async throws -> Void) async throws {
        let way = way(claims)
        try await way.coordinator().coordinate(writing: path) { _ in
            let text = way.surroundings
            try await way.within("") { try await body(text) }
        }
    }

    @Test func itCountsAsLongAsTheBodyRuns() async throws {
        let (around, own) = (process(), process())
        let coordination = way(own)
        try await holding("One", around) { one in
            try await holding("Two", around) { two in
                await coordination.within(one) {
                    #expect(isFree(own, "One") && !isFree(own, "Two"))
                    await coordination.within(two) { #expect(isFree(own, "One") && isFree(own, "Two")) }
                    #expect(isFree(own, "One") && !isFree(own, "Two"))
                }
                #expect(!isFree(own, "One") && !isFree(own, "Two"))
                #expect(!own.isInUse, "so that whoever watches is asked again")
            }
        }
    }

    /// By a process that serves others too: it has granted nothing of that.
    @Test func whatIsAskedForWithinItDoesNotWaitForIt() async throws {
        let (around, own) = (process(), process())
        func acts(_ path: DrivePath) async throws -> Bool {
            try await own.actAtOnce([.writing(path)], beneath: [0x2F]) { (true, moves: []) } ?? false
        }
        try await holding("One", around) { one in
            try await holding("Two", around) { _ in
                let before = try await acts("One")
                #expect(!before)
                try await DriveCoordination.joining([], one) {
                    let (within, outside) = (try await acts("One"), try await acts("Two"))
                    #expect(within && !outside)
                    #expect(!own.isBeingWritten("One") && own.isBeingWritten("Two"))
                    // Others that ask here, and syncing itself, wait all the same.
                    #expect(!isFree(own, "One"))
                    #expect(!own.isInUse)
                }
                #expect(own.isBeingWritten("One"))
            }
        }
    }

    @Test func aProgramInAProgramHasBoth() async throws {
        let (around, between, own) = (process(), process(), process())
        try await holding("One", around) { outer in
            try await way(between).within(outer) {
                try await way(between).coordinator().coordinate(writing: "Two") { _ in
                    let text = way(between).surroundings
                    await way(own).within(text) { #expect(isFree(own, "One") && isFree(own, "Two")) }
                }
            }
        }
    }

    /// What an access has left running has no right to its items any more.
    @Test func itCountsAsLongAsTheItemIsHeld() async throws {
        let (around, stranger, own) = (process(), process(), process())
        var left = ""
        try await holding("One", around) { left = $0 }
        #expect(!left.isEmpty)
        try await holding("One", stranger) { _ in
            await way(own).within(left) {
                #expect(!isFree(own, "One"))
                #expect(!own.isInUse)
            }
        }
    }

    @Test func whatIsHeldOfAnotherDriveIsNothingOfThisOne() async throws {
        let (around, stranger) = (process(), FileClaims(lockFile: otherFile))
        let own = FileClaims(lockFile: otherFile)
        try await holding("One", around) { text in
            try await holding("One", stranger) { _ in
                await way(own).within(text) { #expect(!isFree(own, "One")) }
            }
        }
    }

    /// Claims of two drives have nothing to do with one another, though both are the first ones of their drives.
    @Test func whoHoldsSomethingOfAnotherDriveWaits() async throws {
        let (one, other) = (way(FileClaims()), way(FileClaims()))
        let (over, ends) = AsyncStream<Void>.makeStream()
        let (held, holds) = AsyncStream<Void>.makeStream()
        async let holder: Void = other.coordinator().coordinate(writing: "File") { _ in
            holds.finish()
            for await _ in over {}
        }
        for await _ in held {}
        async let waiter = one.coordinator().coordinate(writing: "File") { _ in
            try await other.coordinator().coordinate(writing: "File") { _ in true }
        }
        try await until { other.claims.waiting == 1 }
        ends.finish()
        #expect(try await waiter)
        try await holder
    }

    /// Before, whoever watched the drive had the locks; who is started within the access knows of that one alone.
    @Test func itCountsAlsoWhereTheArbiterHasEnded() async throws {
        let house = try ArbiterHouse()
        let (around, own) = (process(), process())
        let outer = DriveCoordination(root: [0x2F], claims: around, place: house.place)
        let inner = DriveCoordination(root: [0x2F], claims: own, place: house.place)
        let (texts, tells) = AsyncStream<String>.makeStream()
        let (over, ends) = AsyncStream<Void>.makeStream()
        let (begun, begins) = AsyncStream<Void>.makeStream()
        async let holder: Void = {
            for await _ in begun {}
            try await outer.coordinator(purpose: "both").coordinate(writing: "File") { _ in
                tells.yield(outer.surroundings)
                tells.finish()
                for await _ in over {}
            }
        }()
        let told = Mutex("")
        try await house.run {
            begins.finish()
            for await text in texts { told.withLock { $0 = text } }
            // As long as there is an arbiter, it knows of both.
            await inner.within(told.withLock { $0 }) { #expect(!own.isInUse) }
        }
        try await until { around.isInUse }
        // Also where another one has begun to listen, which knows nothing of it.
        try await house.run {
            try await inner.within(told.withLock { $0 }) {
                try await until { own.isInUse }
                #expect(try await inner.coordinator(purpose: "both").coordinate(writing: "File") { _ in true })
            }
        }
        ends.finish()
        try await holder
    }

    @Test func itIsReadAsItWasWritten() {
        let claim = { ClaimID(client: .max, number: $0) }
        let surroundings = Surroundings([
            Enclosure(claim: claim(1), places: [1: true, 2: false]), Enclosure(claim: claim(2)),
            Enclosure(claim: claim(3), places: [2: true]),
        ])
        #expect(Surroundings(surroundings.text) == surroundings)
        #expect(Surroundings("7w,what,ever,").enclosures.isEmpty)
    }
}
