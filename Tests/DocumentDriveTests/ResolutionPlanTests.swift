import DriveCore
import FileCoordination
import Testing

@testable import DocumentDrive

/// How a conflict is ended, by what its sides are.
struct ResolutionPlanTests {
    private static func side(_ kind: FileFacts.Kind, size: UInt64, modified: Int64) -> Conflict.Side {
        let time = FileTime(seconds: modified, nanoseconds: 0)
        let facts = FileFacts(
            kind: kind, identity: FileIdentity(inode: 1, birth: nil), size: size, modified: time, changed: time)
        return Conflict.Side(facts: facts, hash: kind == .folder ? nil : ContentHasher.hash(of: [UInt8(size & 0xFF)]))
    }

    private static func conflict(_ current: Conflict.Side) -> Conflict {
        Conflict(
            id: "id", current: DrivePath("pad"), copy: DrivePath("pad copy"), currentSide: current,
            copySide: side(.file, size: 9, modified: 5), kind: .binary)
    }

    private static func plan(_ conflict: Conflict, _ how: ConflictResolution) throws -> ResolutionPlan {
        try ResolutionPlan([conflict], how, ResolutionPlan.Source(text: { _, _ in [] }, ancestor: { _ in [] }))
    }

    /// The folder's own size and date say nothing about what is in it.
    @Test(arguments: [
        ConflictResolution.keep(.newest), .keep(.largest), .keep(.copy), .merge, .suggested,
    ])
    func nothingIsComparedWithAFolder(_ how: ConflictResolution) throws {
        for (size, modified) in [(UInt64(4096), Int64(9)), (1, 1)] {
            let conflict = Self.conflict(Self.side(.folder, size: size, modified: modified))
            let plan = try Self.plan(conflict, how)
            #expect(plan.resolved.isEmpty)
            #expect(plan.left.map { $0.reason.hasPrefix("a folder has its name") } == [true])
        }
    }

    @Test func whatLeavesTheFolderEndsTheConflict() throws {
        let conflict = Self.conflict(Self.side(.folder, size: 4096, modified: 9))
        let copy = try #require(conflict.copy)
        let hash = try #require(conflict.copySide?.hash)
        #expect(
            try Self.plan(conflict, .keep(.current)).resolved.map(\.deeds)
                == [[.expect(conflict.current, nil), .takeAway(copy, hash)]])
        #expect(try Self.plan(conflict, .keep(.both)).resolved.map(\.deeds) == [[.touch(copy)]])
    }

    @Test func aCopyWithoutAFileIsNotTakenAway() throws {
        var conflict = Self.conflict(Self.side(.file, size: 4096, modified: 1))
        conflict.currentSide = nil
        for keep in [ConflictKeeping.current, .copy] {
            let plan = try Self.plan(conflict, .keep(keep))
            #expect(plan.resolved.isEmpty)
            #expect(plan.left.map { $0.reason.hasPrefix("what has its name is not here yet") } == [true])
        }
    }

    @Test func twoFilesAreCompared() throws {
        let conflict = Self.conflict(Self.side(.file, size: 4096, modified: 1))
        let (copy, hash) = (try #require(conflict.copy), try #require(conflict.copySide?.hash))
        let old = try #require(conflict.currentSide?.hash)
        // What decided is looked at again.
        #expect(
            try Self.plan(conflict, .keep(.largest)).resolved.map(\.deeds)
                == [[.expect(conflict.current, old), .takeAway(copy, hash)]])
        #expect(
            try Self.plan(conflict, .keep(.newest)).resolved.map(\.deeds)
                == [[.moveOver(copy, hash, to: conflict.current, replacing: old)]])
    }
}
