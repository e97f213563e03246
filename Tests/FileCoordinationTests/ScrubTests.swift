import DriveCore
import DriveTesting
@testable import FileCoordination
import Testing

/// All files are read in the time that a round may take, no more of them, and what the disk has lost is listed until it
/// is mended.
@Suite struct ScrubTests {
    private static let day: UInt64 = 86_400_000
    private let clock = ManualClock()
    private let device: EngineDevice

    init() async throws {
        let store = MemoryObjectStore(clock: clock)
        device = EngineDevice(DeviceSetup(number: 0, store: store, clock: clock, seed: 5))
        for number in 0..<60 {
            let place = try #require(device.folder.place(DrivePath(bytes: Array("f\(number)".utf8))))
            #expect(device.folder.create(Array("content \(number)".utf8), at: place))
        }
        try await pass()
        // A scrub does not change what the view shows.
        device.engine.parts.options.checksView = false
    }

    private func pass() async throws {
        _ = try await device.scan()
        try await device.commit(compacting: false)
        try await device.fetch(only: nil)
        try await device.apply()
    }

    private func measure() throws {
        var measure: ScrubMeasure? = ScrubMeasure()
        while let next = measure { measure = try device.engine.measureScrub(next) }
    }

    /// A share every hour for so many days; every share's paths.
    private func scrub(days: UInt64, roundDays: UInt64 = 30) throws -> [[DrivePath]] {
        var shares: [[DrivePath]] = []
        for _ in 0..<(days * 24) {
            try measure()
            let share = try device.engine.scrubShare(roundTime: roundDays * Self.day)
            try device.engine.note(ScrubReader(device.folder).read(share))
            shares.append(share.map(\.path))
            clock.advance(by: Self.day / 24)
        }
        return shares
    }

    private func write(_ text: String, to path: DrivePath, silently: Bool) throws {
        let place = try #require(device.folder.place(path))
        if silently {
            #expect(device.folder.writeSilently(Array(text.utf8), at: place))
        } else {
            #expect(device.folder.write(Array(text.utf8), at: place))
        }
    }

    private var listed: [DrivePath] {
        get throws { try device.state.problems().filter { $0.source == .scrub }.map(\.path) }
    }

    @Test func aRoundReadsEveryFileOnceAndTakesItsTime() throws {
        let shares = try scrub(days: 30)
        let read = shares.flatMap { $0 }
        #expect(Set(read).count == 60)
        #expect(read.count <= 62)
        // Evenly: two files a day, not all at once.
        #expect(shares.allSatisfy { $0.count <= 2 })
        #expect(shares[..<(15 * 24)].joined().count == 30)
        #expect((58...62).contains(try scrub(days: 30).joined().count))
    }

    @Test func aLongPauseIsMadeUpForByADaysShareAtMost() throws {
        _ = try scrub(days: 1)
        clock.advance(by: 20 * Self.day)
        #expect(try device.engine.scrubShare(roundTime: 30 * Self.day).count <= 3)
    }

    @Test func aClockThatIsPutBackStopsNothing() throws {
        _ = try scrub(days: 2)
        var memory = try #require(try ScrubMemory.load(from: device.state))
        memory.counted += 400 * Self.day
        try memory.save(to: device.state)
        #expect(try scrub(days: 30).flatMap { $0 }.count >= 58)
    }

    @Test func aFileLargerThanADaysShareIsPaidForAfterwards() async throws {
        try write(String(repeating: "x", count: 3_000_000), to: "f0", silently: false)
        try await pass()
        var large = 0
        for share in try scrub(days: 30) where share.contains("f0") { large += 1 }
        #expect(large == 1)
    }

    @Test func aDriveThatGrowsIsReadWholeAllTheSame() async throws {
        _ = try scrub(days: 1)
        for number in 0..<20 {
            let place = try #require(device.folder.place(DrivePath(bytes: Array("g\(number)".utf8))))
            #expect(device.folder.create(Array(repeating: 7, count: 100_000), at: place))
        }
        try await pass()
        let read = try scrub(days: 30).flatMap { $0 }
        #expect(Set(read).count == 80)
    }

    @Test func whatTheDiskHasLostIsListedUntilItIsRepaired() async throws {
        try write("c0ntent 7", to: "f7", silently: true)
        _ = try scrub(days: 30)
        #expect(try listed == ["f7"])
        _ = try scrub(days: 30)
        #expect(try listed == ["f7"])
        #expect(try await device.engine.repairFiles(["f7"]).map(\.obstacle) == [nil])
        #expect(try listed == [])
    }

    @Test func whatIsReadAgainAndWholeIsNoLongerListed() async throws {
        try write("c0ntent 7", to: "f7", silently: true)
        _ = try scrub(days: 30)
        try write("content 7", to: "f7", silently: true)
        _ = try scrub(days: 30)
        #expect(try listed == [])
        let told = try device.state.events(limit: 100).filter { $0.path == "f7" && $0.kind != .added }
        #expect(told.map(\.kind) == [.recovered, .error])
    }

    @Test func whatIsEditedIsNoDamageAndNoLongerListed() async throws {
        try write("c0ntent 7", to: "f7", silently: true)
        try write("edited", to: "f8", silently: false)
        _ = try scrub(days: 30)
        #expect(try listed == ["f7"])
        try write("a new text", to: "f7", silently: false)
        try await pass()
        #expect(try listed == [])
    }

    @Test func anErrorOfOneFileIsNoReasonToStop() throws {
        try write("c0ntent 9", to: "f9", silently: true)
        for number in 0..<9 {
            let place = try #require(device.folder.place(DrivePath(bytes: Array("f\(number)".utf8))))
            device.folder.remove(at: place)
        }
        _ = try scrub(days: 30)
        #expect(try listed == ["f9"])
    }
}
