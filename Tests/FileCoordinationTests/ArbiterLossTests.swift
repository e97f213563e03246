import DriveCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileCoordination

/// Arbiters and clients that come and go.
@Suite(.timeLimit(.minutes(20)))
struct ArbiterLossTests {
    @Test func whoIsCutOffLosesWhatItHeld() async throws {
        let house = try ArbiterHouse()
        try await house.run {
            guard let number = house.place.connect() else { throw ArbiterHouse.Unreachable() }
            let dying = SocketConnection(number)
            try await dying.send(DriveRequest(.coordinate))
            var news = dying.messages(ClaimNews.self).makeAsyncIterator()
            guard case .welcome(let client)? = await news.next() else { throw ArbiterHouse.Unreachable() }
            let id = ClaimID(client: client, number: 1)
            try await dying.send(ClaimCall.claim(id, ClaimRequest(purpose: "dying", intents: [.writing("File")])))
            guard case .granted(id, _)? = await news.next() else { throw ArbiterHouse.Unreachable() }
            let way = house.coordination()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await way.coordinator().coordinate(writing: "File") { _ in } }
                #expect(try await soon { house.claims.waiting == 1 })
                dying.shut()
                try await group.waitForAll()
            }
        }
    }

    /// Nonsense ends the connection of whoever says it, and nothing else.
    @Test func whoTalksNonsenseIsLeftAlone() async throws {
        let house = try ArbiterHouse()
        try await house.run {
            guard let number = house.place.connect() else { throw ArbiterHouse.Unreachable() }
            let other = SocketConnection(number)
            try await other.send(DriveRequest(.coordinate))
            var news = other.messages(ClaimNews.self).makeAsyncIterator()
            #expect(await news.next() != nil)
            try await other.send(["what": "ever"])
            #expect(await news.next() == nil)
            let way = house.coordination()
            #expect(try await way.coordinator().coordinate(writing: "File") { _ in true })
        }
    }

    @Test func whatIsHeldOutlivesItsArbiter() async throws {
        let house = try ArbiterHouse()
        let file = Array("\(house.root)/locks".utf8)
        let own = FileClaims(lockFile: file)
        let way = DriveCoordination(root: Array("\(house.root)/drive".utf8), claims: own, place: house.place)
        let (held, holds) = AsyncStream<Void>.makeStream()
        let (over, ends) = AsyncStream<Void>.makeStream()
        let (begun, begins) = AsyncStream<Void>.makeStream()
        async let holder: Void = {
            for await _ in begun {}
            try await way.coordinator().coordinate(writing: "File") { _ in
                holds.finish()
                for await _ in over {}
            }
        }()
        try await house.run {
            begins.finish()
            for await _ in held {}
            #expect(!own.isInUse)
        }
        // The arbiter is gone: this process answers for what it holds.
        #expect(try await soon { own.isInUse })
        let stranger = FileClaims(lockFile: file)
        #expect(try await soon { stranger.trySyncing([.writing("File")]) == nil })
        ends.finish()
        try await holder
        #expect(try await soon { stranger.trySyncing([.writing("File")]) != nil })
    }

    private final class Witness: FilePresenter {
        private let count = Mutex(0)
        private let told = Mutex<[DrivePath]>([])
        var presentedItemPath: DrivePath? { "File" }
        var asked: Int { count.withLock { $0 } }
        var moves: [DrivePath] { told.withLock { $0 } }
        func presentedItemDidMove(to path: DrivePath) async { told.withLock { $0.append(path) } }
        func relinquishPresentedItemToReader() async -> Reacquirer? {
            count.withLock { $0 += 1 }
            return nil
        }
    }

    @Test func presentersAreKnownToAnArbiterThatComesLater() async throws {
        let house = try ArbiterHouse()
        let (one, other) = (house.coordination(), house.coordination())
        let witness = Witness()
        await one.add(witness)
        try await other.coordinator().coordinate(reading: "File") { _ in }
        #expect(witness.asked == 0)
        try await house.run {
            let isAsked = try await soon {
                try await other.coordinator().coordinate(reading: "File") { _ in }
                return witness.asked > 0
            }
            #expect(isAsked)
        }
        await one.remove(witness)
    }

    /// The presenter may go on to say where it was when it was added.
    @Test func whatHasMovedIsShownThereAtTheNextArbiterToo() async throws {
        let house = try ArbiterHouse()
        let (one, other) = (house.coordination(), house.coordination())
        let witness = Witness()
        try await house.run {
            await one.add(witness)
            let mover = other.coordinator()
            try await mover.coordinate([
                .writing("File", options: .forMoving), .writing("Moved", options: .forReplacing),
            ]) { _ in try mover.itemDidMove(from: "File", to: "Moved") }
            #expect(try await soon { witness.moves == ["Moved"] })
        }
        #expect(try await soon { one.claims.presentedPaths == ["Moved"] })
        await one.add(witness)
        #expect(one.claims.presentedPaths == ["File"], "it says its place anew")
        await one.remove(witness)
    }

    private final class Editor: FilePresenter {
        private let way: DriveCoordination
        private let arbiter: FileClaims
        private let count = Mutex(0)
        var presentedItemPath: DrivePath? { "File" }
        var saved: Int { count.withLock { $0 } }
        init(_ way: DriveCoordination, _ arbiter: FileClaims) { (self.way, self.arbiter) = (way, arbiter) }
        func savePresentedItemChanges() async throws {
            try await way.coordinator(presenter: self).coordinate(writing: "File") { _ in
                #expect(arbiter.uses.contains { $0.path == "File" }, "where the one waits that it is saved for")
                count.withLock { $0 += 1 }
            }
        }
    }

    /// What their process has in hand may last for hours.
    @Test func presentersOfABusyProcessAreKnownToAnArbiterThatComesLater() async throws {
        let house = try ArbiterHouse()
        let (one, other) = (house.coordination(), house.coordination())
        let editor = Editor(one, house.claims)
        let (held, holds) = AsyncStream<Void>.makeStream()
        let (over, ends) = AsyncStream<Void>.makeStream()
        async let holder: Void = one.coordinator().coordinate(writing: "Other") { _ in
            holds.finish()
            for await _ in over {}
        }
        for await _ in held {}
        await one.add(editor)
        try await house.run {
            let isAsked = try await soon {
                try await other.coordinator().coordinate(reading: "File") { _ in }
                return editor.saved > 0
            }
            #expect(isAsked && one.claims.isInUse)
            ends.finish()
            // Then everything is asked for there.
            #expect(try await soon { one.claims.presentedPaths.isEmpty })
            try await one.coordinator().coordinate(writing: "Other") { _ in
                #expect(house.claims.isInUse && !one.claims.isInUse)
            }
            await one.remove(editor)
            #expect(house.claims.presentedPaths.isEmpty)
        }
        try await holder
    }

    @Test func whoHangsUpLosesWhatItHeld() async throws {
        let house = try ArbiterHouse()
        try await house.run {
            let client = try await house.client()
            _ = try await client.claim(client.newID(), ClaimRequest(purpose: "x", intents: [.writing("File")]))
            #expect(house.claims.isInUse)
            client.close()
            #expect(try await soon { !house.claims.isInUse })
        }
    }

    /// More than the threads that may wait in calls of the system at once.
    @Test func manyClientsAreHeardAtOnce() async throws {
        let house = try ArbiterHouse()
        try await house.run {
            try await withThrowingTaskGroup(of: ClaimClient.self) { group in
                for _ in 0..<150 { group.addTask { try await house.client() } }
                var clients: [ClaimClient] = []
                for try await client in group { clients.append(client) }
                for client in clients {
                    let id = client.newID()
                    _ = try await client.claim(id, ClaimRequest(purpose: "x", intents: [.writing("File")]))
                    client.release(id, AccessReport())
                }
            }
        }
    }
}
