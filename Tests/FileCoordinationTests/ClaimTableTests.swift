import DriveCore
import Foundation
import Testing

@testable import FileCoordination

/// Every way to read and to write, against every other, where the second item is the first, around it, in it, in the same
/// package, or beside it: for the arbiter as a value, for two clients in one process, and for two at a socket.
struct ClaimTableTests {
    enum Relation: String, CaseIterable { case same, parent, child, packageMember, sibling }

    struct Case {
        var relation: Relation
        var first: FileIntent
        var second: FileIntent
        /// Whether the second waits, where their purposes differ.
        var waits: Bool
    }

    /// Each set of reading options that means something of its own, and all of them together.
    static let readings: [FileIntent.Access] = [
        [], .withoutChanges, .resolvesSymbolicLink, .immediatelyAvailableMetadataOnly, .forUploading,
        [.withoutChanges, .resolvesSymbolicLink, .immediatelyAvailableMetadataOnly, .forUploading],
    ].map(FileIntent.Access.reading)

    static let writings = WritingOptions.allCases.map(FileIntent.Access.writing)

    /// As the rules are told: nothing here is taken from the code that is tested.
    static let cases: [Case] = Relation.allCases.flatMap { relation in
        let (one, other) = paths(relation)
        return (readings + writings).flatMap { first in
            (readings + writings).map { second in
                Case(
                    relation: relation, first: FileIntent(path: one, access: first),
                    second: FileIntent(path: other, access: second), waits: waits(relation, first, second))
            }
        }
    }

    private static func paths(_ relation: Relation) -> (DrivePath, DrivePath) {
        switch relation {
        case .same: ("Folder/Item", "Folder/Item")
        case .parent: ("Folder/Item", "Folder")
        case .child: ("Folder/Item", "Folder/Item/Part")
        case .packageMember: ("Folder/Song.band/Media/1.aif", "Folder/Song.band/Output.plist")
        case .sibling: ("Folder/Item", "Folder/Items")
        }
    }

    private static func waits(_ relation: Relation, _ first: FileIntent.Access, _ second: FileIntent.Access) -> Bool {
        let takingAlong: [FileIntent.Access] = [.writing(.forDeleting), .writing(.forMoving), .writing(.forReplacing)]
        switch relation {
        case .same, .packageMember: return !(readings.contains(first) && readings.contains(second))
        // What is used lies in what the second one takes along.
        case .parent: return takingAlong.contains(second)
        case .child: return takingAlong.contains(first)
        case .sibling: return false
        }
    }

    @Test func theTableIsWhole() {
        #expect(Self.cases.count == 5 * 12 * 12)
        #expect(Self.cases.filter(\.waits).count == 2 * (12 * 12 - 6 * 6) + 2 * 3 * 12)
    }

    @Test func theArbiterKeepsTheTable() {
        for row in Self.cases {
            for isSamePurpose in [true, false] {
                var arbiter = Arbiter()
                for (number, intent) in [row.first, row.second].enumerated() {
                    let purpose = isSamePurpose ? "one" : "\(number)"
                    arbiter.claim(.test(number), ClaimRequest(purpose: purpose, intents: [intent]))
                    arbiter.grantAll()
                }
                #expect(arbiter.isHeld(0))
                #expect(arbiter.isHeld(1) == (isSamePurpose || !row.waits), "\(row) \(isSamePurpose)")
                arbiter.release(.test(0))
                arbiter.grantAll()
                #expect(arbiter.isHeld(1), "\(row)")
            }
        }
    }

    @Test func twoClientsOfOneProcessKeepTheTable() async throws {
        let claims = FileClaims()
        try await keepTheTable(ClaimClient.local(claims), ClaimClient.local(claims))
    }

    @Test func twoConnectionsKeepTheTable() async throws {
        let house = try ArbiterHouse()
        try await house.run {
            try await keepTheTable(try await house.client(), try await house.client())
        }
    }

    /// Two arbiters that know of each other through the lock file alone: what one holds the other does not get. Purposes
    /// do not reach from one to the other.
    @Test func twoArbitersKeepTheTableThroughLocks() throws {
        let file = LockFile()
        var one = try file.locks()
        var other = try file.locks()
        for row in Self.cases {
            let isFirst = one.take(.test(0), [row.first])
            let isTogether = other.take(.test(1), [row.second])
            one.release(.test(0))
            let isAfter = other.take(.test(1), [row.second])
            other.release(.test(1))
            #expect(isFirst && isAfter && isTogether == !row.waits, "\(row)")
        }
        // Nothing is left behind.
        let isAllFree = one.take(.test(0), [.writing(.root, options: .forDeleting)])
        #expect(isAllFree)
    }

    /// While one uses many items in a row, the folders of the last of them stay shared, those of others do not; afterwards none.
    @Test func sharedLocksLingerForAWhile() throws {
        let file = LockFile()
        var one = try file.locks()
        var other = try file.locks()
        func isFree(_ folder: Int) -> Bool {
            defer { other.release(.test(1)) }
            return other.take(.test(1), [.writing(DrivePath("\(folder)"), options: .forDeleting)])
        }
        func use(_ path: String) -> Bool { one.take(.test(0), [.writing(DrivePath(path))]) }
        one.lingers = true
        for folder in 0...ClaimLocks.mostLingering {
            for name in ["a", "b"] {
                #expect(use("\(folder)/\(name)"))
                one.release(.test(0))
            }
        }
        // One of those that linger is the root's.
        #expect(isFree(0) && isFree(1))
        #expect(!isFree(2) && !isFree(ClaimLocks.mostLingering))
        // What lingers is used on without asking the kernel, what does not is asked for again.
        #expect(use("0/a") && !isFree(0))
        one.release(.test(0))
        one.lingers = false
        #expect((0...ClaimLocks.mostLingering).allSatisfy(isFree))
    }

    /// Many items at once are one lock of the folder that they are in, where nobody uses anything in there.
    @Test func manyItemsAreLockedAtOnce() throws {
        let file = LockFile()
        var one = try file.locks()
        var other = try file.locks()
        let many = (0...ClaimLocks.mostSingle).map { FileIntent.writing(DrivePath("Folder/\($0 % 3)/\($0)")) }
        func isFree(_ intent: FileIntent) -> Bool {
            defer { other.release(.test(1)) }
            return other.take(.test(1), [intent])
        }
        func take(_ intents: [FileIntent]) -> Bool { one.takeBriefly(.test(0), intents) }
        #expect(take(many) && !many.contains(where: isFree))
        #expect(!isFree(.reading("Folder/0/beside")) && !isFree(.writing("Folder", options: .forMoving)))
        #expect(isFree(.writing("Folder")) && isFree(.reading("beside")))
        one.release(.test(0))
        // Somebody uses what lies beside them, and goes on.
        let isBeside = other.take(.test(2), [.reading("Folder/0/beside")])
        #expect(isBeside && take(many) && !many.contains(where: isFree) && isFree(.reading("Folder/0/beside")))
        one.release(.test(0))
        other.release(.test(2))
        // Somebody uses one of them.
        let isWithin = other.take(.test(2), [.reading("Folder/2/2")])
        #expect(isWithin && !take(many))
        other.release(.test(2))
        // Where the folder is one of them it is more than what is in it.
        #expect(take(many + [.writing("Folder")]) && !isFree(.reading("Folder")))
        one.release(.test(0))
        #expect(take([.writing(.root)] + many) && !isFree(.reading(.root)) && !isFree(many[0]))
        one.release(.test(0))
        // Reading many is for many.
        let reading = many.map { FileIntent.reading($0.path) }
        #expect(take(reading) && isFree(reading[0]))
        one.release(.test(0))
        #expect((many + [.writing(.root, options: .forDeleting)]).allSatisfy(isFree))
    }

    private func keepTheTable(_ one: ClaimClient, _ other: ClaimClient) async throws {
        let probe = Probe()
        for row in Self.cases {
            for isSamePurpose in [true, false] {
                let (first, second) = (one.newID(), other.newID())
                _ = try await one.claim(first, ClaimRequest(purpose: "0", intents: [row.first]))
                let purpose = isSamePurpose ? "0" : "1"
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let (said, say) = AsyncStream<Void>.makeStream()
                    group.addTask {
                        _ = try await other.claim(second, ClaimRequest(purpose: purpose, intents: [row.second])) {
                            say.finish()
                            return true
                        }
                    }
                    // What was said before this is answered before it.
                    for await _ in said {}
                    try await other.present(probe.run, Presentation(path: nil, purpose: "probe"))
                    let expected = isSamePurpose || !row.waits
                    #expect(other.isWaiting(second) == !expected, "\(row) \(isSamePurpose)")
                    one.release(first, AccessReport())
                    try await group.waitForAll()
                }
                #expect(!other.isWaiting(second))
                other.release(second, AccessReport())
                // The next row finds nothing held.
                try await other.present(probe.run, Presentation(path: nil, purpose: "probe"))
            }
        }
    }

    private final class Probe: FilePresenter {
        var presentedItemPath: DrivePath? { nil }
        var run: PresenterRun { PresenterRun(self, 1, purpose: "probe") }
    }
}

extension ClaimID {
    static func test(_ number: Int) -> ClaimID { ClaimID(client: 1, number: UInt64(number)) }
}

extension Arbiter {
    /// Nobody else on the machine has anything.
    mutating func grantAll() {
        while true {
            let actions = takeActions()
            if actions.isEmpty { return }
            for case .lock(let id, _) in actions { locked(id) }
        }
    }

    func isHeld(_ number: Int) -> Bool { self[.test(number)]?.stage == .held }
}

/// A lock file of a test's own, gone with it.
private final class LockFile {
    private let path = NSTemporaryDirectory() + "docdrive-locks-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// As one more process would have it: locks are those of an open file.
    func locks() throws -> ClaimLocks {
        guard let locks = ClaimLocks(file: Array(path.utf8)) else { throw CocoaError(.fileWriteUnknown) }
        return locks
    }
}
