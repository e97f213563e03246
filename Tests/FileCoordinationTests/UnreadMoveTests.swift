import DriveCore
import DriveTesting
import Synchronization
import Testing

@testable import FileCoordination

/// A file that cannot be read now was renamed, and another one has its name: one device alone makes no conflict of that.
struct UnreadMoveTests {
    private let shared = SharedStore()
    /// The names of what programs have open for writing.
    private final class OpenNames: Sendable {
        let names = Mutex<Set<FileName>>([])
    }
    private let open = OpenNames()

    private func pair(_ options: MemoryFolder.Options = MemoryFolder.Options()) async throws -> (
        EngineDevice, EngineDevice
    ) {
        var setup = DeviceSetup(number: 0, store: shared.objects, clock: shared.clock, seed: 5)
        setup.folder = MemoryFolder(clock: shared.clock, options: options)
        let author = EngineDevice(setup) { [open] options in
            options.mayRead = { name, _, _ in open.names.withLock { !$0.contains(name) } }
        }
        try author.make("one", "thesis")
        try author.make("two", "new")
        try author.make("three", "newest")
        let other = shared.device(1)
        try await shared.sync(author, other)
        return (author, other)
    }

    private func say(_ names: FileName...) { open.names.withLock { $0 = Set(names) } }

    private func replace(_ author: EngineDevice) throws {
        try author.move("thesis", to: "old")
        try author.move("new", to: "thesis")
        try author.move("newest", to: "new")
    }

    /// What a look finds is told, though something keeps changing.
    private func tell(_ devices: EngineDevice...) async throws {
        for device in devices {
            shared.clock.advance(by: RunPlan.tick)
            _ = try await device.engine.step()
        }
    }

    private func expect(_ tree: [DrivePath: String], on devices: EngineDevice...) {
        let tree = tree.mapValues { TreeEntry.file(Array($0.utf8)) }
        for device in devices { #expect(device.folder.tree() == tree, "\(device.label)") }
    }

    @Test func whatIsOpenIsMovedWithWhatItHeld() async throws {
        let (author, other) = try await pair()
        say("old")
        try replace(author)
        author.folder.write(Array("one and more".utf8), at: try #require(author.folder.place("old")))
        try await tell(author, other, author)
        expect(["old": "one", "thesis": "two", "new": "three"], on: other)
        expect(["old": "one and more", "thesis": "two", "new": "three"], on: author)
        say()
        try await tell(author, other)
        expect(["old": "one and more", "thesis": "two", "new": "three"], on: author, other)
    }

    @Test func whatNobodyMayReadIsMovedToo() async throws {
        let (author, other) = try await pair()
        let denied = DriveError(.permissionDenied, "cannot open the file: permission denied")
        author.folder.failures = [FolderFailure(.read, name: "old", error: denied)]
        try replace(author)
        try await tell(author, other, author)
        expect(["old": "one", "thesis": "two", "new": "three"], on: author, other)
    }

    /// It leaves a folder that is deleted with all the rest that was in it.
    @Test func theFolderThatItLeftGoes() async throws {
        let (author, other) = try await pair()
        author.folder.makeFolder(at: try #require(author.folder.place("d")))
        try author.make("four", "d/open")
        try await tell(author, other)
        say("out")
        try author.move("d/open", to: "out")
        try author.remove("d")
        try author.move("new", to: "d")
        try await tell(author, other, author)
        expect(["out": "four", "thesis": "one", "newest": "three", "d": "two"], on: author, other)
    }

    /// Between the look at the folder and the reading.
    @Test func whatIsMovedOnMeanwhileWasThere() async throws {
        let (author, other) = try await pair()
        author.folder.beforeOperation = { operation throws(DriveError) in
            guard operation.kind == .read, operation.name == "old",
                let (from, to) = author.folder.place("old").map({ ($0, Place(folder: $0.folder, name: "older")) })
            else { return }
            author.folder.move(from: from, to: to)
        }
        try replace(author)
        try await tell(author, other)
        author.folder.beforeOperation = nil
        expect(["old": "one", "thesis": "two", "new": "three"], on: other)
        try await tell(author, other, author)
        expect(["older": "one", "thesis": "two", "new": "three"], on: author, other)
    }

    /// Without birth times only the bytes tell what was moved: what has its name waits, and what has the name of that.
    @Test func whereNobodyKnowsWhatItIsAllThatFollowsWaits() async throws {
        var options = MemoryFolder.Options()
        options.hasBirthTimes = false
        let (author, other) = try await pair(options)
        say("old")
        try replace(author)
        try await tell(author, other, author)
        expect(["thesis": "one", "new": "two", "newest": "three"], on: other)
        expect(["old": "one", "thesis": "two", "new": "three"], on: author)
        say()
        try await tell(author, other, author)
        expect(["old": "one", "thesis": "two", "new": "three"], on: author, other)
    }

    @Test func whatSomebodyIsWritingStaysAndAllThatFollowsWaits() async throws {
        let (author, other) = try await pair()
        let claims = FileClaims()
        author.engine.parts.claims = claims
        let client = claims.join { _ in }
        let request = ClaimRequest(purpose: "editing", intents: [.writing("old")])
        claims.hear(.claim(ClaimID(client: client, number: 1), request), from: client)
        try replace(author)
        try await tell(author, other, author)
        expect(["thesis": "one", "new": "two", "newest": "three"], on: other)
        expect(["old": "one", "thesis": "two", "new": "three"], on: author)
        claims.hear(.release(ClaimID(client: client, number: 1), AccessReport()), from: client)
        try await tell(author, other, author)
        expect(["old": "one", "thesis": "two", "new": "three"], on: author, other)
    }
}
