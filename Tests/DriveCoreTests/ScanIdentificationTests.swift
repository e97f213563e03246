@testable import DriveCore
import DriveTesting
import Testing

@Suite("Identity of what a scan finds")
struct ScanIdentificationTests {
    private var bench = ScanBench()

    private mutating func start(_ paths: [DrivePath: UInt64?]) throws {
        for (path, content) in paths.sorted(by: { $0.key < $1.key }) {
            bench.make(path, content == nil ? .folder : .file, content: content ?? 0)
        }
        try bench.scan()
    }

    private func id(_ path: DrivePath) throws -> ItemID? { try bench.item(path)?.id }

    @Test mutating func savingByRenameIsAnEdit() throws {
        try start(["f": 1])
        let old = try id("f")
        bench.save("f", 2)
        try bench.scan()
        #expect(try id("f") == old)
    }

    @Test mutating func editorThatKeepsABackupBesideEditsTheFile() throws {
        try start(["f": 1])
        let old = try id("f")
        bench.move("f", "f~")
        bench.make("f", content: 2)
        try bench.scan()
        #expect(try id("f") == old)
        #expect(try id("f~") != old)
    }

    @Test mutating func moveToAnotherFolderAndANewFileAreBoth() throws {
        try start(["d": nil, "f": 1])
        let old = try id("f")
        bench.move("f", "d/f")
        bench.make("f", content: 2)
        try bench.scan()
        #expect(try id("d/f") == old)
        #expect(try id("f") != old)
    }

    @Test mutating func moveOverAnotherFileIsAnEditOfThatOne() throws {
        try start(["p": 1, "q": 2])
        let p = try id("p")
        bench.move("q", "p")
        let records = try bench.scan()
        #expect(try id("p") == p)
        #expect(records.count == 2)
    }

    @Test mutating func swappedFilesHaveBothMoved() throws {
        try start(["p": 1, "q": 2])
        let (p, q) = (try id("p"), try id("q"))
        bench.swap("p", "q")
        let records = try bench.scan()
        #expect(try id("p") == q)
        #expect(try id("q") == p)
        #expect(records.allSatisfy { $0.heads.count == 1 && $0.heads[0].dot.n < 3 }, "no content was written again")
    }

    @Test mutating func inodeAloneProvesNothingWithoutBirthTimes() throws {
        bench.hasBirthTimes = false
        try start(["p": 1])
        let p = try id("p")
        bench.move("p", "q")
        bench.write("q", 2)
        try bench.scan()
        #expect(try id("q") != p)
    }

    @Test mutating func equalBytesOnceOnEachSideAreAMove() throws {
        try start(["p": 1])
        let p = try id("p")
        bench.remove("p")
        bench.make("q", content: 1)
        let records = try bench.scan()
        #expect(try id("q") == p)
        #expect(records.count == 1)
    }

    /// Of markers there are many, and each stands for its own folder; those of a new one get the inode that was just let go.
    @Test mutating func anEmptyFileIsNotTakenForOneThatWent() throws {
        try start(["d": nil, "d/.keep": 0])
        let old = try id("d/.keep")
        bench.remove("d/.keep")
        bench.make("q", content: 0)
        try bench.scan()
        #expect(try id("q") != old)
    }

    @Test mutating func equalBytesTwiceAreNoMove() throws {
        try start(["p": 1])
        let p = try id("p")
        bench.remove("p")
        bench.make("q", content: 1)
        bench.make("r", content: 1)
        try bench.scan()
        #expect(try id("q") != p)
        #expect(try id("r") != p)
    }

    @Test mutating func folderReplacedAtItsPlaceIsTheSameFolder() throws {
        try start(["d": nil, "d/f": 1])
        let (d, f) = (try id("d"), try id("d/f"))
        bench.remove("d")
        bench.make("d", .folder)
        bench.make("d/f", content: 1)
        try bench.scan()
        #expect(try id("d") == d)
        #expect(try id("d/f") == f)
    }

    @Test mutating func changeOfKindIsADeleteAndACreate() throws {
        try start(["x": 1])
        let x = try id("x")
        bench.remove("x")
        bench.make("x", .folder)
        let records = try bench.scan()
        #expect(try id("x") != x)
        #expect(records.count == 2)
    }
}

@Suite("Numbers and brake of a scan")
struct ScanNumbersTests {
    @Test func foreignTimesPushTheClockByAnHourAtMost() {
        var numbers = RecordNumbers(device: DeviceID(high: 1, low: 0))
        numbers.receive(HybridTime(milliseconds: 500), now: 1_000)
        #expect(numbers.clock.milliseconds == 500)
        numbers.receive(HybridTime(milliseconds: 99_000_000), now: 1_000)
        #expect(numbers.clock.milliseconds == 3_601_000)
        numbers.receive(HybridTime(milliseconds: 5), now: 1_000)
        #expect(numbers.clock.milliseconds == 3_601_000)
    }

    @Test func hybridTimeNeverWraps() {
        #expect(HybridTime(rawValue: .max).next == HybridTime(rawValue: .max))
        #expect(HybridTime(milliseconds: .max).milliseconds == (1 << 48) - 1)
        #expect(HybridTime(rawValue: 0xFFFF).next == HybridTime(milliseconds: 1))
    }

    @Test func brakeHoldsManyDeletesAndLetsFewPass() {
        let brake = Brake()
        let none = Brake.History()
        #expect(!brake.holds(0, of: 0, after: none, now: 0))
        #expect(!brake.holds(10, of: 12, after: none, now: 0))
        #expect(brake.holds(11, of: 12, after: none, now: 0))
        #expect(!brake.holds(25, of: 100, after: none, now: 0))
        #expect(brake.holds(26, of: 100, after: none, now: 0))
        #expect(!brake.holds(1_000, of: 100_000, after: none, now: 0))
        #expect(brake.holds(1_001, of: 100_000, after: none, now: 0))
    }

    @Test func brakeCountsWhatIsHeldOnTop() {
        let brake = Brake()
        #expect(brake.holds(1, of: 12, besides: 10, after: Brake.History(), now: 0))
        #expect(!brake.holds(1, of: 100, besides: 24, after: Brake.History(), now: 0))
        #expect(brake.holds(1, of: 100, besides: 25, after: Brake.History(), now: 0))
        #expect(!brake.holds(0, of: 100, besides: 2_000, after: Brake.History(), now: 0))
    }

    @Test func brakeCountsARollingHour() {
        let brake = Brake()
        let history = brake.noting(20, in: Brake.History(), now: 1_000)
        #expect(brake.holds(6, of: 80, after: history, now: 2_000))
        #expect(!brake.holds(6, of: 80, after: history, now: 1_000 + brake.window))
        #expect(Brake.History(encoded: history.encoded) == history)
        #expect(Brake.History(encoded: [1, 2, 3]) == Brake.History())
        #expect(brake.noting(1, in: history, now: 1_000 + brake.window).counts.count == 1)
        // Of a clock that was days ahead, and one that was put back a little.
        let ahead = brake.noting(20, in: Brake.History(), now: 100 * brake.window)
        #expect(!brake.holds(6, of: 80, after: ahead, now: 1_000))
        #expect(brake.holds(6, of: 80, after: ahead, now: 100 * brake.window - 1_000))
        #expect(brake.noting(1, in: ahead, now: 1_000).counts.count == 1)
    }
}
