import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// What is new comes in portions; what leaves is judged by what was here before.
struct ArrivingPortionsTests {
    private let clock = ManualClock()

    private func pass(_ device: EngineDevice) async throws -> DriveEngine.PassOutcome {
        clock.advance(by: RunPlan.tick)
        return try await device.engine.step()
    }

    private func paths(_ name: String, _ count: Int) -> [DrivePath] {
        (0..<count).map { DrivePath([FileName("\(name)\($0)")]) }
    }

    private func device(_ number: Int, _ store: MemoryObjectStore) -> EngineDevice {
        EngineDevice(DeviceSetup(number: number, store: store, clock: clock, seed: 5)) {
            $0.brake.floor = 2
            $0.applyPortion = 4
        }
    }

    /// Eight files on both; then four are deleted on the first, and so many come.
    private func pair(creating count: Int) async throws -> (EngineDevice, EngineDevice) {
        let store = MemoryObjectStore(clock: clock)
        let (a, b) = (EngineDevice(DeviceSetup(number: 0, store: store, clock: clock, seed: 5)), device(1, store))
        for path in paths("old", 8) { a.folder.create([1], at: try #require(a.folder.place(path))) }
        _ = try await pass(a)
        #expect(try await pass(b).applied.placed == 8)
        for path in paths("old", 4) { #expect(a.folder.remove(at: try #require(a.folder.place(path)))) }
        for path in paths("new", count) { a.folder.create([2], at: try #require(a.folder.place(path))) }
        _ = try await pass(a)
        return (a, b)
    }

    @Test func whatArrivesDoesNotMakeDeletesHarmless() async throws {
        let (_, b) = try await pair(creating: 40)
        let outcome = try await pass(b).applied
        #expect(outcome.placed == 40)
        #expect(outcome.held == 4)
        #expect(b.folder.tree().count == 48)
    }

    /// Neither the next passes of a sync, nor growth, nor time decides for the person.
    @Test func whatIsHeldStaysHeldUntilItIsConfirmed() async throws {
        let (a, b) = try await pair(creating: 40)
        clock.advance(by: RunPlan.tick)
        _ = try await b.engine.sync()
        clock.advance(by: 2 * 3_600_000)
        for path in paths("more", 100) { a.folder.create([3], at: try #require(a.folder.place(path))) }
        _ = try await a.engine.sync()
        #expect(try await b.engine.sync().applied.held == 4)
        #expect(b.folder.tree().count == 148)
        let held = HeldDeletes(b.state)
        try held.confirm(held.incoming())
        _ = try await b.engine.sync()
        #expect(b.folder.tree() == a.folder.tree())
        #expect(try held.incoming().isEmpty && held.confirmed().isEmpty)
    }

    /// A large delete that is seen in pieces: what follows within the hour counts on top.
    @Test func piecesOfALargeDeleteAreHeldToo() async throws {
        let (a, b) = try await pair(creating: 0)
        #expect(try await pass(b).applied.held == 4)
        let rest = paths("old", 8).dropFirst(4)
        let first = try #require(rest.first)
        #expect(a.folder.remove(at: try #require(a.folder.place(first))))
        _ = try await pass(a)
        #expect(try await pass(b).applied.held == 5)
        clock.advance(by: 3_600_000)
        let last = try #require(rest.last)
        #expect(a.folder.remove(at: try #require(a.folder.place(last))))
        _ = try await pass(a)
        #expect(try await pass(b).applied.held == 5)
        #expect(b.folder.tree().count == 7)
    }

    @Test func deletesOfOnesOwnAreHeldInPiecesToo() async throws {
        let store = MemoryObjectStore(clock: clock)
        let device = device(0, store)
        for path in paths("old", 8) { device.folder.create([1], at: try #require(device.folder.place(path))) }
        _ = try await pass(device)
        for path in paths("old", 4) { #expect(device.folder.remove(at: try #require(device.folder.place(path)))) }
        #expect(try await pass(device).held == 4)
        #expect(device.folder.remove(at: try #require(device.folder.place(paths("old", 5)[4]))))
        #expect(try await pass(device).held == 5)
        clock.advance(by: 3_600_000)
        #expect(device.folder.remove(at: try #require(device.folder.place(paths("old", 6)[5]))))
        #expect(try await pass(device).held == 5)
        #expect(try device.state.heldRows().count == 5)
    }

    /// Without the row of its folder nobody could tell any more what was deleted, nor bring it back.
    @Test(arguments: [false, true])
    func aFolderIsHeldWithTheDeletesInIt(_ isConfirmed: Bool) async throws {
        let device = device(0, MemoryObjectStore(clock: clock))
        let folder: DrivePath = "folder"
        device.folder.makeFolder(at: try #require(device.folder.place(folder)))
        let files = (0..<4).map { folder.appending(FileName("f\($0)")) }
        for path in files { device.folder.create([1], at: try #require(device.folder.place(path))) }
        _ = try await pass(device)
        for path in files { #expect(device.folder.remove(at: try #require(device.folder.place(path)))) }
        #expect(try await pass(device).held == 4)
        clock.advance(by: 2 * 3_600_000)
        let row = try #require(try device.state.row(at: folder))
        #expect(device.folder.remove(at: try #require(device.folder.place(folder))))
        // As an act does that removes an empty folder.
        let held = HeldDeletes(device.state)
        if isConfirmed { try held.confirm([row.id]) }
        #expect(try await pass(device).held == 5)
        #expect(try device.state.row(row.id)?.isHeld == true)
        try held.confirm(Set(device.state.heldRows().map(\.id)))
        #expect(try await pass(device).held == 0)
        #expect(try device.state.rowCount() == 0 && held.confirmed().isEmpty)
        #expect(try await device.faults(hasLostContents: false).isEmpty)
    }
}
