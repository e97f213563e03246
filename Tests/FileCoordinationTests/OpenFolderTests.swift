import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// However many folders change, and however deep they lie: few of them are open at once.
struct OpenFolderTests {
    private let clock = ManualClock()

    /// What else the process has open needs about 30.
    @Test(
        arguments: [
            (0, [4, 4, 4]), (40, [4, 4, 4]), (64, [10, 10, 10]), (96, [21, 21, 21]), (192, [53, 53, 32]),
            (1_024, [128, 64, 32]), (.max, [128, 64, 32]),
        ] as [(UInt64, [Int])])
    func fewAreOpenWhereFewMayBe(_ openFiles: UInt64, _ most: [Int]) {
        let limits = OpenFolderLimits(openFiles: openFiles)
        #expect([limits.located, limits.walked, limits.read] == most)
    }

    @Test func changesInManyFoldersArrive() async throws {
        let store = MemoryObjectStore(clock: clock)
        let devices = (0..<2).map { EngineDevice(DeviceSetup(number: $0, store: store, clock: clock, seed: 7)) }
        let (author, other) = (devices[0], devices[1])
        let names = (0..<300).map { DrivePath("d\($0)") }
        for name in names {
            author.folder.makeFolder(at: try #require(author.folder.place(name)))
            author.folder.create([1], at: try #require(author.folder.place(name.appending("f"))))
        }
        try await Quiescence(devices: devices, clock: clock).reach()
        for name in names { author.folder.save([2, 2], at: try #require(author.folder.place(name.appending("f")))) }
        clock.advance(by: RunPlan.tick)
        _ = try await author.scan()
        try await author.commit(compacting: false)
        try await other.fetch(only: nil)
        let count = OpenFolderCount()
        other.folder.openFolders = count
        try await other.apply()
        #expect(other.folder.tree() == author.folder.tree())
        #expect((1...200).contains(count.most), "\(count.most)")
    }

    /// With a folder beside each, so that the one above is needed once more.
    @Test func aDeepTreeIsWalked() async throws {
        let folder = MemoryFolder(clock: clock)
        let state = MemoryState(device: DeviceID(high: 7, low: 7), label: "A")
        let engine = DriveEngine(
            DriveParts(files: folder, state: state, transport: nil, clock: clock, entropy: SeededEntropy(seed: 1)))
        let count = OpenFolderCount()
        folder.openFolders = count
        var place = Place(folder: MemoryFolder.root, name: "d")
        for _ in 0..<700 {
            folder.makeFolder(at: place)
            folder.makeFolder(at: Place(folder: place.folder, name: "z"))
            place.folder = try #require(folder.number(at: place))
        }
        _ = try await engine.scan()
        #expect(state.rowCount() == 1_400)
        #expect((1...200).contains(count.most), "\(count.most)")
        // Known by now, and gone through all the same.
        folder.create([1], at: place)
        clock.advance(by: 1_000)
        _ = try await engine.scan()
        #expect(state.rowCount() == 1_401)
        #expect(count.most <= 200, "\(count.most)")
    }
}
