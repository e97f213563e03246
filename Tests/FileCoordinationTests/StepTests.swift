import DriveCore
import DriveTesting
import Testing

/// What the index says of the disk after a crash or a power cut at each moment of an apply, and what a disk error in a
/// scan is not.
struct StepTests {
    private let clock = ManualClock()

    private func device(_ number: Int, _ store: MemoryObjectStore) -> EngineDevice {
        EngineDevice(DeviceSetup(number: number, store: store, clock: clock, seed: 7))
    }

    private func tell(_ devices: EngineDevice...) async throws { try await clock.tell(devices) }

    /// Two devices; the other has fetched, and not applied, one change of each kind.
    private func pair() async throws -> (EngineDevice, EngineDevice) {
        let store = MemoryObjectStore(clock: clock)
        let (author, other) = (device(0, store), device(1, store))
        for name in ["edited", "moved", "gone"] as [FileName] {
            author.folder.create(Array("old \(name)".utf8), at: Place(folder: MemoryFolder.root, name: name))
        }
        try await tell(author, other)
        try await other.apply()
        try await tell(other)
        let root = MemoryFolder.root
        author.folder.save(Array("new".utf8), at: Place(folder: root, name: "edited"))
        author.folder.move(from: Place(folder: root, name: "moved"), to: Place(folder: root, name: "there"))
        author.folder.remove(at: Place(folder: root, name: "gone"))
        author.folder.create(Array("placed".utf8), at: Place(folder: root, name: "placed"))
        try await tell(author, other)
        return (author, other)
    }

    /// However much of it the disk forgets: what was not durable is done again, and is nobody's change.
    @Test(arguments: 0..<24 as Range<UInt64>)
    func aPowerCutAfterAnApplyIsNoChange(_ seed: UInt64) async throws {
        let (author, other) = try await pair()
        try await other.apply()
        var generator = SeededGenerator(seed: seed)
        other.folder.cutPower(&generator)
        other.folder.restart()
        try await other.restart(afterPowerCut: true)
        #expect(try await other.scan() == 0)
        try await other.apply()
        #expect(other.folder.tree() == author.folder.tree())
    }

    /// At every call of an apply: the next process finds out how far it came, and records nothing.
    @Test(arguments: [false, true])
    func aDeathAtAnyMomentOfAnApplyIsNoChange(isAfter: Bool) async throws {
        var call = 0
        while true {
            let (author, other) = try await pair()
            let hasEnded = try await other.applyUntilDeath(at: call, isAfter: isAfter)
            #expect(try await other.scan() == 0, "call \(call)")
            try await other.apply()
            #expect(other.folder.tree() == author.folder.tree(), "call \(call)")
            let kept = Set(other.folder.contents(of: .trash).map { String(decoding: $0, as: UTF8.self) })
            #expect(kept == ["old edited", "old gone"], "call \(call)")
            #expect(
                Set(try other.state.trash().map(\.path)) == ["edited", "gone"], "call \(call): what the trash lists")
            if hasEnded { break }
            call += 1
        }
        #expect(call > 20)
    }

    /// Bytes that are on their way to the disk when the power goes are never taken for somebody's edit.
    @Test(arguments: 0..<6 as Range<UInt64>)
    func aPowerCutAtAnyMomentOfAnApplyIsNoChange(_ seed: UInt64) async throws {
        var call = 0
        while true {
            let (author, other) = try await pair()
            let folder = other.folder
            var calls = 0
            folder.afterOperation = { _ throws(DriveError) in
                calls += 1
                guard calls == call + 1 else { return }
                var generator = SeededGenerator(seed: seed &* 1_000 &+ UInt64(call))
                folder.cutPower(&generator)
            }
            let ended: Void? = try? await other.apply()
            folder.afterOperation = nil
            folder.restart()
            try await other.restart(afterPowerCut: true)
            #expect(try await other.scan() == 0, "call \(call)")
            try await other.apply()
            #expect(folder.tree() == author.folder.tree(), "call \(call)")
            if ended != nil { break }
            call += 1
        }
    }

    /// Somebody removes a file in the moment in which it has come to its place: everything else goes on.
    @Test func aFileThatVanishesInTheMiddleHoldsUpNothingElse() async throws {
        let (author, other) = try await pair()
        let folder = other.folder
        var removals = 0
        folder.beforeOperation = { operation throws(DriveError) in
            guard operation.kind == .extendedAttributes, operation.folder == MemoryFolder.root else { return }
            if folder.remove(at: Place(folder: MemoryFolder.root, name: operation.name)) { removals += 1 }
        }
        try await other.apply()
        folder.beforeOperation = nil
        #expect(removals > 0)
        #expect(try other.state.problems().isEmpty)
        for _ in 0..<2 {
            try await tell(other, author)
            for device in [author, other] { try await device.apply() }
        }
        #expect(folder.tree() == author.folder.tree())
    }

    /// The disk is synced for each level of folders that go, not for each folder.
    @Test func emptiedFoldersGoTogether() async throws {
        let store = MemoryObjectStore(clock: clock)
        let (author, other) = (device(0, store), device(1, store))
        let paths = (0..<60).flatMap { [DrivePath("top\($0)"), DrivePath("top\($0)/in")] }
        for path in paths { author.folder.makeFolder(at: try #require(author.folder.place(path))) }
        try await tell(author, other)
        try await other.apply()
        for path in paths.reversed() { author.folder.remove(at: try #require(author.folder.place(path))) }
        try await tell(author, other)
        var syncs = 0
        other.folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .makeDurable { syncs += 1 }
        }
        try await other.apply()
        other.folder.beforeOperation = nil
        #expect(other.folder.tree() == author.folder.tree())
        #expect((1...8).contains(syncs), "\(syncs)")
    }

    /// A folder that cannot be listed says nothing about what is in it.
    @Test func aListingThatFailsDeletesNothing() async throws {
        let device = device(0, MemoryObjectStore(clock: clock))
        device.folder.makeFolder(at: Place(folder: MemoryFolder.root, name: "D"))
        device.folder.create(Array("thesis".utf8), at: try #require(device.folder.place("D/f")))
        try await tell(device)
        device.folder.failures = [FolderFailure(.list, error: DriveError(.inputOutput, "The disk reports an error"))]
        await #expect(throws: DriveError.self) { try await device.scan() }
        #expect(try device.state.pendingGroups().isEmpty)
        #expect(try device.state.problems().contains { $0.reason == "The disk reports an error" })
        device.folder.failures = []
        #expect(try await device.scan() == 0)
    }
}
