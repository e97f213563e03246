import DriveCore
import Glibc
import TestSupport
import Testing

@testable import DocumentDrive
@testable import FileCoordination

/// Another device's change or delete of a file that a program here has open for writing.
@Suite struct OpenFileArrivalTests {
    enum Arrival: CaseIterable { case change, delete }

    /// Each drive has a patience of its own.
    private static var patient: WiringChanges {
        var changes = WiringChanges()
        changes.patience = WriterPatience(longest: .seconds(86_400))
        return changes
    }

    private func open(_ path: String) throws -> Int32 {
        let file = Glibc.open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        try #require(file >= 0)
        return file
    }

    private func write(_ text: String, into file: Int32) throws {
        try #require(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
    }

    private func arrive(_ arrival: Arrival, from device: WhyDevice) async throws {
        switch arrival {
        case .change: try device.write("Letter.txt", "dear Ben\n")
        case .delete: try device.remove("Letter.txt")
        }
        try device.write("Other", "1")
        try await device.sync()
    }

    private func drivePass(_ drive: Drive) -> DrivePass {
        DrivePass(drive: drive, announcements: Announcements { _ in }, documents: DocumentFeed(drive, StatusBoard()))
    }

    /// As a watch does it.
    private func pass(_ drive: Drive) async throws -> WatchPassOutcome {
        let pass = drivePass(drive)
        let work = WatchSchedule.Work(scansEverything: true, fetches: true)
        return try await drive.engine.use { try await pass.run(work, $0) { nil } }
    }

    @Test(arguments: Arrival.allCases) func whatIsWrittenOnStaysInTheFolder(_ arrival: Arrival) async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let file = try open(a.path("Letter.txt"))
        try await arrive(arrival, from: b)

        let drive = try a.drive(Self.patient, waitsForWriters: true)
        let outcome = try await pass(drive)
        #expect(outcome.looksAgain && outcome.touched.covers("Letter.txt") && !outcome.touched.covers("Other"))
        #expect(try a.text("Letter.txt") == "dear\n" && a.text("Other") == "1", "all else goes on")
        let why = try a.why("Letter.txt")
        #expect(why.cause == .openForWriting)
        #expect(
            why.waitsFor
                == "the program to close it; after a minute what others made of it takes its place all the same")
        #expect(try DriveReader(a.folder).waiting().map(\.path) == ["Letter.txt"])

        try write("love\n", into: file)
        close(file)
        _ = try await pass(drive)
        #expect(try DriveReader(a.folder).waiting().isEmpty && DriveReader(a.folder).trash().isEmpty)
        let texts = try Set(a.names.filter { $0.hasPrefix("Letter") }.map { try a.text($0) })
        #expect(texts == (arrival == .change ? ["dear Ben\n", "dear\nlove\n"] : ["dear\nlove\n"]))
    }

    @Test(arguments: Arrival.allCases) func whatIsOnlyOpenWaitsNoLongerThanThePatience(_ arrival: Arrival) async throws
    {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let file = try open(a.path("Letter.txt"))
        defer { close(file) }
        try await arrive(arrival, from: b)
        var changes = WiringChanges()
        changes.patience = WriterPatience(longest: .zero)
        _ = try await pass(a.drive(changes, waitsForWriters: true))
        #expect(try a.names.contains("Letter.txt") == (arrival == .change))
        #expect(try DriveReader(a.folder).trash().map(\.path) == ["Letter.txt"])
    }

    /// As `docdrive sync` does; `docdrive wait` has not asked for the file.
    @Test(arguments: [true, false]) func onlyWhoHurriesDoesNotWait(_ isHurried: Bool) async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let file = try open(a.path("Letter.txt"))
        defer { close(file) }
        try await arrive(.change, from: b)
        let drive = try a.drive(Self.patient, waitsForWriters: true)
        _ = try await pass(drive)
        #expect(try a.text("Letter.txt") == "dear\n" && a.text("Other") == "1")
        let pass = drivePass(drive)
        let summary = try await drive.engine.use { try await pass.sync($0, isHurried: isHurried) }
        #expect(summary.isComplete == isHurried)
        #expect(try a.text("Letter.txt") == (isHurried ? "dear Ben\n" : "dear\n"))
    }

    /// Not the name that is taken, nor the next pass, nor what is not synced.
    @Test func whatTheProgramKeepsFromComingWaitsForIt() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Letter.txt": "dear\n", "Gone/Old": "1", "Kept/Old": "2"])
        try a.write("Kept/New", "3")
        try a.write("Both", "4")
        let files = try ["Letter.txt", "Gone/Old", "Kept/New", "Both"].map { try open(a.path($0)) }
        defer { files.forEach { close($0) } }
        for name in ["Letter.txt", "Gone", "Kept"] { try b.remove(name) }
        try b.write("Letter.txt/Page", "5")
        try b.write("Both", "6")
        try await b.sync()
        let drive = try a.drive(Self.patient, waitsForWriters: true)
        for _ in 0..<2 { _ = try await pass(drive) }
        for path: DrivePath in ["Letter.txt", "Gone", "Gone/Old", "Kept", "Kept/New", "Both"] {
            let why = try a.why(path)
            #expect(why.cause == .openForWriting && why.remedy == nil, "\(path): \(why.cause)")
        }
        #expect(try DriveReader(a.folder).keptFolders().isEmpty)
    }

    @Test func aPauseIsWhyAfterTheProgramIsDone() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let file = try open(a.path("Letter.txt"))
        try await arrive(.change, from: b)
        let drive = try a.drive(Self.patient, waitsForWriters: true)
        _ = try await pass(drive)
        _ = try await drive.perform(.pause(forMilliseconds: nil))
        #expect(try a.why("Letter.txt").cause == .paused)
        close(file)
        // A process that another test has just forked may have it open for a moment.
        try await until { try a.why("Letter.txt").cause == .paused }
    }

    @Test func whatIsWrittenIntoTheTrashCountsThere() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let file = try open(a.path("Letter.txt"))
        try await arrive(.delete, from: b)
        try await a.sync()
        try write("love\n", into: file)
        close(file)
        #expect(try DriveReader(a.folder).trash().map(\.size) == [10])
    }

    private let file = FileIdentity(inode: 1, birth: FileTime(seconds: 1))
    private let other = FileIdentity(inode: 2, birth: FileTime(seconds: 2))

    @Test func whatWaitedForSomethingElseWaitsAnew() {
        let patience = WriterPatience(longest: .seconds(86_400))
        #expect(!patience.isOver(for: "a", of: file, to: .read, isBeingWritten: true))
        #expect(patience.isOver(for: "a", of: file, to: .read, isBeingWritten: false))
        #expect(!patience.isOver(for: "a", of: file, to: .replace, isBeingWritten: true))
        let none = WriterPatience(longest: .zero)
        #expect(none.isOver(for: "a", of: file, to: .read, isBeingWritten: true))
    }

    private func isOver(_ patience: WriterPatience, _ identity: FileIdentity, at now: ContinuousClock.Instant) -> Bool {
        patience.isOver(for: "a", of: identity, to: .read, isBeingWritten: true, now: now)
    }

    @Test func whoIsAskedAboutAllTheTimeWaitsNoLongerThanThat() {
        let (patience, begin) = (WriterPatience(longest: .seconds(60), memory: .seconds(10)), ContinuousClock.now)
        for second in stride(from: 0, to: 60, by: 2) { #expect(!isOver(patience, file, at: begin + .seconds(second))) }
        #expect(isOver(patience, file, at: begin + .seconds(60)))
    }

    /// As a program does that writes a temporary file of one name again and again.
    @Test func anotherFileOfTheNameHasItsOwnMinute() {
        let (patience, begin) = (WriterPatience(longest: .seconds(60), memory: .seconds(10)), ContinuousClock.now)
        for second in stride(from: 0, to: 58, by: 2) { #expect(!isOver(patience, file, at: begin + .seconds(second))) }
        #expect(!isOver(patience, other, at: begin + .seconds(60)))
    }

    @Test func whatNobodyWaitedForMeanwhileWaitsAnew() {
        let (patience, begin) = (WriterPatience(longest: .seconds(60), memory: .seconds(10)), ContinuousClock.now)
        #expect(!isOver(patience, file, at: begin))
        #expect(!isOver(patience, file, at: begin + .seconds(90)))
    }

    /// While the store is away passes come once a minute.
    @Test func thePauseAfterAFailedPassIsNoTimeInWhichNobodyAsked() {
        let (patience, begin) = (WriterPatience(longest: .seconds(60), memory: .seconds(10)), ContinuousClock.now)
        #expect(!isOver(patience, file, at: begin))
        patience.failed(at: begin + .seconds(1))
        patience.goesOn(at: begin + .seconds(61))
        #expect(isOver(patience, file, at: begin + .seconds(62)))
        // One that came to its end is followed by no such pause.
        #expect(!isOver(patience, file, at: begin + .seconds(63)))
        patience.goesOn(at: begin + .seconds(130))
        #expect(!isOver(patience, file, at: begin + .seconds(131)))
    }

    @Test func aLongPassIsNoTimeInWhichNobodyAsked() {
        let (patience, begin) = (WriterPatience(longest: .seconds(60), memory: .seconds(10)), ContinuousClock.now)
        #expect(!isOver(patience, file, at: begin))
        patience.passed(from: begin - .seconds(1), to: begin + .seconds(88))
        #expect(isOver(patience, file, at: begin + .seconds(90)))
    }
}
