import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// What waits aside while things change places waits for nothing but the other moves.
struct ParkedTests {
    private let clock = ManualClock()
    private let store: MemoryObjectStore
    private let author: EngineDevice
    private let other: EngineDevice

    init() {
        let store = MemoryObjectStore(clock: clock)
        self.store = store
        let clock = clock
        let devices = (0..<2).map { number in
            // What arrives comes in one portion, with the moves.
            EngineDevice(
                DeviceSetup(number: number, store: store, clock: clock, seed: 7), adjust: { $0.applyPortion = 4_096 })
        }
        (author, other) = (devices[0], devices[1])
    }

    private func place(_ path: DrivePath) throws -> Place { try #require(author.folder.place(path)) }

    /// Two folders have changed places on the author's device, and a file that sorts between them is new.
    private func swap() async throws {
        for name in ["x", "y"] as [DrivePath] {
            author.folder.makeFolder(at: try place(name))
            author.folder.create(Array("in \(name)".utf8), at: try place(name.appending("document")))
        }
        try await Quiescence(devices: [author, other], clock: clock).reach()
        author.folder.swap(try place("x"), try place("y"))
        // Too much to be in its record.
        author.folder.create((0..<200_000).map { UInt8(truncatingIfNeeded: $0 >> 8 ^ $0) }, at: try place("xx"))
        author.folder.makeFolder(at: try place("w"))
        clock.advance(by: RunPlan.tick)
        _ = try await author.scan()
        try await author.commit(compacting: false)
        try await other.fetch(only: nil)
    }

    private var documents: Set<[UInt8]> { Set(other.folder.contents(of: .root)) }

    @Test func theyHaveTheirPlacesBeforeAnythingIsFetched() async throws {
        try await swap()
        store.setHook(for: 1) { operation in
            operation.kind == .get ? .failure(DriveError(.unreachable, "the network went")) : nil
        }
        await #expect(throws: DriveError.self) { try await other.apply() }
        #expect(other.folder.contents(of: .parked).isEmpty)
        #expect(other.folder.tree()["x/document"] == .file(Array("in y".utf8)))
        #expect(other.folder.tree()["y/document"] == .file(Array("in x".utf8)))
        store.setHook(for: 1, nil)
        try await other.apply()
        #expect(other.folder.tree() == author.folder.tree())
    }

    /// A process dies between the two halves, and from then on the store is away.
    @Test func theyComeToTheirPlacesWithoutAStore() async throws {
        var call = 0
        var parked = 0
        while true {
            let tests = ParkedTests()
            try await tests.swap()
            let hasEnded = try await tests.other.applyUntilDeath(at: call, isAfter: true)
            if !tests.other.folder.contents(of: .parked).isEmpty { parked += 1 }
            tests.store.setReachable(false, for: 1)
            _ = try? await tests.other.engine.sync()
            #expect(tests.documents.isSuperset(of: ["in x", "in y"].map { Array($0.utf8) }), "call \(call)")
            #expect(tests.other.folder.contents(of: .parked).isEmpty, "call \(call)")
            tests.store.setReachable(true, for: 1)
            try await Quiescence(devices: [tests.author, tests.other], clock: tests.clock).reach()
            #expect(tests.other.folder.tree() == tests.author.folder.tree(), "call \(call)")
            if hasEnded { break }
            call += 1
        }
        #expect(parked > 0)
    }

    /// Who asks for one of them by the path that it had hears of it.
    @Test func theyAreKnownByTheirPathsMeanwhile() async throws {
        var call = 0
        var known = 0
        while true {
            let tests = ParkedTests()
            try await tests.swap()
            let hasEnded = try await tests.other.applyUntilDeath(at: call, isAfter: true)
            for row in try tests.other.state.parkedRows() {
                let path = try tests.other.state.path(of: row)
                #expect(try tests.other.state.rowAside(at: path) == row)
                let inner = try #require(try tests.other.state.rowAside(at: path.appending("document")))
                #expect(inner.parent == row.id && inner.isParked)
                #expect(try tests.other.state.rowAside(at: path.appending("none")) == nil)
                known += 1
            }
            if hasEnded { break }
            call += 1
        }
        #expect(known > 0)
    }

    /// A person has made something where one of them was, and the store is away: what people see stays where they see it.
    @Test func nothingMoreIsPutAsideForThem() async throws {
        var call = 0
        var filled = 0
        while true {
            let tests = ParkedTests()
            try await tests.swap()
            let hasEnded = try await tests.other.applyUntilDeath(at: call, isAfter: true)
            for name in ["x", "y"] as [DrivePath] where tests.other.folder.tree()[name] == nil {
                tests.other.folder.makeFolder(at: try #require(tests.other.folder.place(name)))
                filled += 1
            }
            let before = tests.documents
            tests.store.setReachable(false, for: 1)
            // As a pass does before it looks at the folder.
            try tests.other.engine.recoverSteps()
            try await tests.other.engine.placeParked()
            #expect(tests.documents.isSuperset(of: before), "call \(call)")
            tests.store.setReachable(true, for: 1)
            try await Quiescence(devices: [tests.author, tests.other], clock: tests.clock).reach()
            #expect(tests.other.folder.tree() == tests.author.folder.tree(), "call \(call)")
            #expect(tests.documents.isSuperset(of: ["in x", "in y"].map { Array($0.utf8) }), "call \(call)")
            if hasEnded { break }
            call += 1
        }
        #expect(filled > 0)
    }

    /// A file and one in a folder have changed places, and where another one was, which has moved there, is a new one.
    private func exchange() async throws {
        author.folder.makeFolder(at: try place("d"))
        for path in ["film", "d/inner", "report"] as [DrivePath] {
            author.folder.create(Array("old \(path)".utf8), at: try place(path))
        }
        try await Quiescence(devices: [author, other], clock: clock).reach()
        author.folder.swap(try place("film"), try place("d/inner"))
        author.folder.move(from: try place("report"), to: try place("d/report"))
        author.folder.create([1], at: try place("report"))
        try await publish()
    }

    private func publish() async throws {
        clock.advance(by: RunPlan.tick)
        _ = try await author.scan()
        try await author.commit(compacting: false)
    }

    /// As a watch does it.
    private func pass() async throws -> WatchPassOutcome {
        clock.advance(by: RunPlan.tick)
        return try await other.engine.perform(WatchSchedule.Work(scansEverything: true, fetches: true)) { nil }
    }

    /// Nothing may leave the folder, nor come into it: whether that is seen beforehand, or only when it is tried.
    @Test(arguments: [true, false])
    func nothingStaysThereForWhatCannotCome(_ isSeen: Bool) async throws {
        try await exchange()
        let before = other.folder.tree()
        let error = DriveError(.permissionDenied, "cannot move it: not permitted")
        let kinds: [FolderOperation.Kind] = isSeen ? [.exchange, .move] : [.move]
        let names: [FileName] = ["inner", "report"]
        other.folder.failures = kinds.flatMap { kind in
            names.map { name in FolderFailure(kind, name: name, error: error) }
        }
        var moves: [FileName] = []
        other.folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .move { moves.append(operation.name) }
        }
        _ = try await pass()
        #expect(other.folder.tree() == before && other.folder.contents(of: .parked).isEmpty)
        #expect(try Set(other.state.problems().map(\.path)) == ["film", "report", "d/inner", "d/report"])
        #expect(moves.contains("film") != isSeen, "\(moves)")
        moves = []
        for _ in 0..<3 {
            let outcome = try await pass()
            #expect(!outcome.looksAgain)
        }
        #expect(moves.isEmpty && other.folder.tree() == before)
        other.folder.beforeOperation = nil
        other.folder.failures = []
        clock.advance(by: 120_000)
        _ = try await pass()
        #expect(other.folder.tree() == author.folder.tree())
        #expect(try other.state.problems().isEmpty)
    }

    /// Nor for the last of several, of which each is to have the place of the next.
    @Test func aRowOfMovesWaitsForItsLast() async throws {
        author.folder.makeFolder(at: try place("d"))
        for name in ["x", "y", "z"] as [DrivePath] {
            author.folder.create(Array("old \(name)".utf8), at: try place(name))
        }
        try await Quiescence(devices: [author, other], clock: clock).reach()
        for (old, new) in [("z", "d/closed"), ("y", "z"), ("x", "y")] as [(DrivePath, DrivePath)] {
            author.folder.move(from: try place(old), to: try place(new))
        }
        try await publish()
        let before = other.folder.tree()
        let error = DriveError(.permissionDenied, "cannot move it: not permitted")
        other.folder.failures = [
            FolderFailure(.exchange, name: "closed", error: error), FolderFailure(.move, name: "z", error: error),
        ]
        _ = try await pass()
        #expect(other.folder.tree() == before && other.folder.contents(of: .parked).isEmpty)
        other.folder.failures = []
        clock.advance(by: 120_000)
        _ = try await pass()
        #expect(other.folder.tree() == author.folder.tree())
    }

    /// A sync says that something is left while something is.
    @Test func whatIsLeftIsTold() async throws {
        try await swap()
        let folder = other.folder
        let place = Place(folder: MemoryFolder.root, name: "xx")
        folder.beforeOperation = { operation throws(DriveError) in
            // Again and again somebody is faster.
            if operation.kind == .stageFile { folder.create([1], at: place) }
        }
        let outcome = try await other.engine.sync(limit: 1)
        folder.beforeOperation = nil
        #expect(outcome.isUnsettled && outcome.applied.waiting == 1)
        #expect(try await !other.engine.sync().isUnsettled)
    }
}
