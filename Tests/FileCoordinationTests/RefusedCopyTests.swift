import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// Copies of what the store refuses, of many files that are equal.
struct RefusedCopyTests {
    private static let count = 100
    private static let few = 12 * count
    private let clock = ManualClock()
    private let device: EngineDevice
    private let names = (0..<RefusedCopyTests.count).map { FileName("file \($0)") }
    private let others = (0..<RefusedCopyTests.count).map { FileName("other \($0)") }

    init() {
        device = EngineDevice(DeviceSetup(number: 0, store: MemoryObjectStore(clock: clock), clock: clock, seed: 7))
        for name in names { device.folder.create([1, 2, 3], at: place(name)) }
        clock.advance(by: 1_000)
    }

    private func place(_ name: FileName) -> Place { Place(folder: MemoryFolder.root, name: name) }

    /// As a look does; one that is cut off does not come to where their files are. How often something was looked at meanwhile.
    private func keep(_ names: [FileName], isCutOff: Bool = false) throws -> Int {
        var looks = 0
        let places = try RefusedPlaces(device.engine.parts)
        device.folder.beforeOperation = { operation throws(DriveError) in if operation.kind == .look { looks += 1 } }
        defer { device.folder.beforeOperation = nil }
        let files = device.engine.parts.files
        var copies = RefusedCopies(device.engine.parts)
        let root = try files.open(.root)
        for name in names {
            guard let facts = try files.look(at: name, in: root) else { continue }
            try copies.keep(facts, name, in: root, at: DrivePath([name]), nil)
        }
        try copies.flush()
        device.folder.beforeOperation = nil
        if !isCutOff { try places.follow() }
        return looks
    }

    private func paths() throws -> [DrivePath] { try device.state.trash().map(\.path).sorted() }

    private func move(_ names: [FileName], to others: [FileName]) {
        for (name, other) in zip(names, others) { #expect(device.folder.move(from: place(name), to: place(other))) }
    }

    @Test func eachIsLookedAtAFewTimesHoweverManyThereAre() async throws {
        let first = try keep(names)
        try await device.restart(afterPowerCut: false)
        let again = try keep(names)
        #expect(try paths() == names.map { DrivePath([$0]) }.sorted())
        move(names, to: others)
        let moved = try keep(others)
        #expect(try paths() == others.map { DrivePath([$0]) }.sorted())
        try await device.restart(afterPowerCut: false)
        move(others, to: names)
        let movedSince = try keep(names)
        #expect(try paths() == names.map { DrivePath([$0]) }.sorted())
        for looks in [first, again, moved, movedSince] { #expect(looks < Self.few) }
    }

    /// By equal bytes: the inode of each is another one.
    @Test func whatWasCopiedAndRemovedKeepsItsCopies() async throws {
        _ = try keep(names)
        try await device.restart(afterPowerCut: false)
        for (name, other) in zip(names, others) {
            #expect(device.folder.copy(from: place(name), to: place(other)))
            #expect(device.folder.remove(at: place(name)))
        }
        let looks = try keep(others)
        #expect(looks < Self.few)
        #expect(try paths() == others.map { DrivePath([$0]) }.sorted())
    }

    /// No record tells where older contents are: whoever comes after finds out again that their files were moved.
    @Test(arguments: [true, false])
    func whatTheyHeldBeforeGoesWithThemAfterALookWasCutOff(isKilled: Bool) async throws {
        _ = try keep(names)
        try device.state.transaction {
            for (place, name) in names.enumerated() {
                try device.state.addTrash(
                    TrashEntry(
                        name: FileName("refused-1-\(place)"), path: DrivePath([name]), hash: nil, size: 3,
                        reason: .replaced, time: 1))
            }
        }
        move(names, to: others)
        _ = try keep(others, isCutOff: true)
        if isKilled { try await device.restart(afterPowerCut: false) }
        _ = try keep(others)
        #expect(try paths() == (others + others).map { DrivePath([$0]) }.sorted())
    }
}
