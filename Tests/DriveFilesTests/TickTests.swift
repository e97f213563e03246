import DriveCore
import Glibc
import Testing

@testable import DriveFiles

/// A write that follows a read within one tick of the file system's clock must not hide behind equal dates.
struct TickTests {
    private static let million: UInt32 = 1_000_000

    @Test func theTickOfADateEnds() {
        func left(_ changed: FileTime, _ now: FileTime) -> Int64 { Tick.remaining(of: changed, at: now) }
        let coarse = FileTime(seconds: 100)
        #expect(left(coarse, FileTime(seconds: 100, nanoseconds: 400 * Self.million)) == 600_000_000)
        #expect(left(coarse, FileTime(seconds: 101)) == 0)
        let fine = FileTime(seconds: 100, nanoseconds: 998 * Self.million)
        #expect(left(fine, FileTime(seconds: 101)) == 8_000_000)
        #expect(left(fine, FileTime(seconds: 101, nanoseconds: 8 * Self.million)) == 0)
    }

    @Test func datesOfOtherTimesAreNotWaitedFor() {
        let now = FileTime(seconds: 100, nanoseconds: 5)
        for seconds in [Int64.min, -1, 98, 101, Int64.max] {
            #expect(Tick.remaining(of: FileTime(seconds: seconds), at: now) == 0)
        }
    }

    /// Whatever the clock of the file system: equal sizes, right after one another, into the same inode.
    @Test(arguments: scratchPlaces)
    func aWriteRightAfterAReadShows(_ place: String) throws {
        let drive = try ScratchDrive(in: place)
        for turn in 0..<50 {
            try drive.scratch.write("a", "before \(turn)")
            let reader = try #require(try drive.store.read("a", in: drive.root))
            #expect(try reader.isUnchanged())
            try drive.scratch.write("a", "behind \(turn)")
            #expect(try drive.store.look(at: "a", in: drive.root)?.looksUnchanged(since: reader.facts) == false)
        }
    }
}
