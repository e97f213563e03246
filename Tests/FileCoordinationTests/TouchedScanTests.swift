import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// Where a watcher tells what was touched, a scan costs what that costs, however many files lie beside it.
struct TouchedScanTests {
    private let clock = ManualClock()
    private let device: EngineDevice

    init() { device = Self.device(clock, MemoryFolder.Options()) }

    private static func device(
        _ clock: ManualClock, _ options: MemoryFolder.Options,
        adjust: @escaping (inout EngineOptions) -> Void = { _ in }
    ) -> EngineDevice {
        var setup = DeviceSetup(number: 0, store: MemoryObjectStore(clock: clock), clock: clock, seed: 5)
        setup.folder = MemoryFolder(clock: clock, options: options)
        setup.isWatching = true
        return EngineDevice(setup, adjust: adjust)
    }

    private func place(_ path: DrivePath, of device: EngineDevice? = nil) throws -> Place {
        try #require((device ?? self.device).folder.place(path))
    }

    private func scan(_ device: EngineDevice? = nil) async throws -> Int {
        clock.advance(by: RunPlan.tick)
        return try await (device ?? self.device).scan()
    }

    private func paths(_ device: EngineDevice? = nil) throws -> Set<DrivePath> {
        let state = (device ?? self.device).state
        return Set(try state.allRows().map { try state.path(of: $0) })
    }

    private func makeLarge() async throws {
        device.folder.makeFolder(at: try place("a"))
        for n in 0..<200 { device.folder.create([UInt8(n)], at: try place(DrivePath(["a", FileName("f\(n)")]))) }
        #expect(try await scan() == 201)
        #expect(try await scan() == 0)
    }

    @Test func aChangeCostsTheSameInALargeFolder() async throws {
        try await makeLarge()
        var (looks, lists) = (0, 0)
        device.folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .look { looks += 1 }
            if operation.kind == .list { lists += 1 }
        }
        device.folder.write([1, 2, 3], at: try place("a/f7"))
        #expect(try await scan() == 1)
        device.folder.create([9], at: try place("a/new"))
        #expect(try await scan() == 1)
        device.folder.remove(at: try place("a/f9"))
        #expect(try await scan() == 1)
        #expect(looks < 20, "\(looks)")
        #expect(lists == 0)
        device.folder.beforeOperation = nil
        #expect(try paths().contains("a/new") && !paths().contains("a/f9"))
        #expect(try await scan() == 0)
    }

    @Test func whatIsRenamedAndMovedStaysWhatItWas() async throws {
        try await makeLarge()
        device.folder.makeFolder(at: try place("b"))
        #expect(try await scan() == 1)
        let ids = try ["a/f1", "a/f2", "a/f3"].map { try device.state.row(at: $0)?.id }
        device.folder.move(from: try place("a/f1"), to: try place("a/a"))
        device.folder.move(from: try place("a/f2"), to: try place("a/z"))
        device.folder.move(from: try place("a/f3"), to: try place("b/f3"))
        #expect(try await scan() == 3)
        #expect(try ["a/a", "a/z", "b/f3"].map { try device.state.row(at: $0)?.id } == ids)
        #expect(try await scan() == 0)
    }

    /// More than are kept by name are found by a look at the folder.
    /// Of the names of a file (hard links) who watches hears of the one that it was opened by.
    @Test func whatIsWrittenThroughANameThatGoesIsFoundUnderTheOthers() async throws {
        device.folder.create([1], at: try place("a"))
        for other: DrivePath in ["b", "c"] { #expect(device.folder.addName(to: try place("a"), at: try place(other))) }
        #expect(try await scan() == 3)
        device.folder.write([2, 2], at: try place("a"))
        device.folder.remove(at: try place("a"))
        #expect(try await scan() == 3)
        for other: DrivePath in ["b", "c"] {
            #expect(try device.state.row(at: other)?.hash == ContentHasher.hash(of: [2, 2]))
        }
        // A name that goes is no reason to read the file.
        var reads = 0
        device.folder.beforeOperation = { operation throws(DriveError) in if operation.kind == .read { reads += 1 } }
        device.folder.remove(at: try place("c"))
        #expect(try await scan() == 1 && reads == 0)
        device.folder.beforeOperation = nil
    }

    @Test func veryManyAreFoundToo() async throws {
        try await makeLarge()
        let count = TouchedPaths.mostNames + 1
        for n in 0..<count { device.folder.create([1], at: try place(DrivePath(["a", FileName("new \(n)")]))) }
        #expect(try await scan() == count)
        #expect(try await scan() == 0)
    }

    @Test func whatWasSaidOfOthersStays() async throws {
        try await makeLarge()
        func look(_ name: FileName) async throws -> [DrivePath] {
            clock.advance(by: RunPlan.tick)
            var touched = TouchedPaths()
            touched.insert(name, in: "a")
            _ = try await device.engine.scan(ScanScope(touched: touched) { [touched] in touched })
            return try device.state.problems().map(\.path)
        }
        device.folder.makeSpecial(at: try place("a/pipe"))
        #expect(try await look("pipe") == ["a/pipe"])
        device.folder.write([1, 2, 3], at: try place("a/f7"))
        #expect(try await look("f7") == ["a/pipe"])
        device.folder.remove(at: try place("a/pipe"))
        #expect(try await look("f8") == ["a/pipe"])
        #expect(try await look("pipe").isEmpty)
    }

    /// Of a folder that is moved or removed nothing but its own name is touched.
    @Test(arguments: [nil, "b"] as [DrivePath?])
    func whatWasSaidOfWhatLiesInAFolderGoesWithIt(_ target: DrivePath?) async throws {
        try await makeLarge()
        device.folder.makeSpecial(at: try place("a/pipe"))
        clock.advance(by: RunPlan.tick)
        _ = try await device.engine.scan()
        #expect(try device.state.problems().map(\.path) == ["a/pipe"])
        var touched = TouchedPaths()
        if let target {
            device.folder.move(from: try place("a"), to: try place(target))
        } else {
            device.folder.setMode(0o700, at: try place("a"))
        }
        for name in ["a", "b"] as [FileName] { touched.insert(name, in: .root) }
        clock.advance(by: RunPlan.tick)
        _ = try await device.engine.scan(ScanScope(touched: touched) { [touched] in touched })
        let path: DrivePath = target == nil ? "a/pipe" : "b/pipe"
        #expect(try device.state.problems().map(\.path) == [path])
        device.folder.remove(at: try place(path))
        _ = try await device.engine.scan(ScanScope(touched: touched) { [touched] in touched })
        #expect(try device.state.problems().isEmpty)
    }

    /// It may have been closed to the drive, or been away; with a later part of what was touched too.
    @Test(arguments: [4_096, 1]) func aFolderThatIsTouchedItselfIsLookedInto(groupRecords: Int) async throws {
        let device = Self.device(clock, MemoryFolder.Options()) { $0.groupRecords = groupRecords }
        device.folder.makeFolder(at: try place("a", of: device))
        device.folder.create([1], at: try place("a/f", of: device))
        #expect(try await scan(device) == 2)
        for name in ["0", "1"] as [DrivePath] { device.folder.create([2], at: try place(name, of: device)) }
        device.folder.write([1, 2, 3], at: try place("a/f", of: device))
        device.folder.setMode(0o700, at: try place("a", of: device))
        var touched = TouchedPaths()
        for name in ["0", "1", "a"] as [FileName] { touched.insert(name, in: .root) }
        clock.advance(by: RunPlan.tick)
        let outcome = try await device.engine.scan(ScanScope(touched: touched) { [touched] in touched })
        #expect(outcome.records == 3)
    }

    /// Nobody touches it there any more when something is moved into it.
    @Test func whatIsMovedIntoAFolderThatWaitsIsNotGone() async throws {
        let device = Self.device(clock, MemoryFolder.Options()) { $0.brake.floor = 2 }
        device.folder.makeFolder(at: try place("d", of: device))
        for n in 0..<6 {
            device.folder.create([UInt8(n)], at: try place(DrivePath(["d", FileName("\(n)")]), of: device))
        }
        device.folder.create([9], at: try place("k", of: device))
        #expect(try await scan(device) == 8)
        for n in 0..<6 { device.folder.remove(at: try place(DrivePath(["d", FileName("\(n)")]), of: device)) }
        #expect(try await scan(device) == 0)
        #expect(try device.state.heldRowCount() == 6)
        device.folder.makeFolder(at: try place("d/3", of: device))
        device.folder.makeFolder(at: try place("d/3/in", of: device))
        #expect(try await scan(device) == 0)
        for _ in 0..<2 {
            if let place = device.folder.place("k") {
                device.folder.move(from: place, to: try self.place("d/3/in/k", of: device))
            }
            #expect(try await scan(device) == 0)
            clock.advance(by: 2 * 3_600_000)
        }
        #expect(try device.state.heldRowCount() == 6)
        let row = try #require(try device.state.row(at: "k"))
        #expect(!row.isHeld)
    }

    /// The old name still leads to the file, though no listing has it.
    @Test func whereCaseDoesNotCountARenameIsNoSecondFile() async throws {
        var options = MemoryFolder.Options()
        options.ignoresCase = true
        let device = Self.device(clock, options)
        for name in ["a.txt", "b.txt"] as [DrivePath] { device.folder.create([1], at: try place(name, of: device)) }
        #expect(try await scan(device) == 2)
        #expect(try await scan(device) == 0)
        let id = try device.state.row(at: "a.txt")?.id
        device.folder.move(from: try place("a.txt", of: device), to: try place("A.TXT", of: device))
        #expect(try await scan(device) == 1)
        #expect(try paths(device) == ["", "A.TXT", "b.txt"])
        #expect(try device.state.row(at: "A.TXT")?.id == id)
        #expect(try await scan(device) == 0)
        // A watcher tells the name that whoever deletes it has written.
        device.folder.remove(at: try place("B.TXT", of: device))
        var touched = TouchedPaths()
        touched.insert("B.TXT", in: .root)
        clock.advance(by: RunPlan.tick)
        _ = try await device.engine.scan(ScanScope(touched: touched) { [touched] in touched })
        #expect(try paths(device) == ["", "A.TXT"])
    }
}
