import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// Of much that is new a scan finds, reads and records a part at a time.
struct PartialScanTests {
    private let clock = ManualClock()
    private let device: EngineDevice

    init() {
        device = EngineDevice(
            DeviceSetup(number: 0, store: MemoryObjectStore(clock: clock), clock: clock, seed: 5),
            adjust: { $0.groupRecords = 4 })
    }

    private func place(_ path: DrivePath) throws -> Place { try #require(device.folder.place(path)) }

    private func makeFolder(_ path: DrivePath, files: Int) throws {
        device.folder.makeFolder(at: try place(path))
        for n in 0..<files {
            device.folder.create(Array("\(path) \(n)".utf8), at: try place(path.appending(FileName("\(n)"))))
        }
    }

    private func scan() async throws -> Int {
        clock.advance(by: RunPlan.tick)
        return try await device.scan()
    }

    /// Once, when the first part is read and the others are still to come.
    private func atFirstRead(_ act: @escaping (MemoryFolder) -> Void) {
        var isFirst = true
        device.folder.beforeOperation = { [folder = device.folder] operation throws(DriveError) in
            guard operation.kind == .read, isFirst else { return }
            isFirst = false
            act(folder)
        }
    }

    private func paths() throws -> Set<DrivePath> {
        Set(try device.state.allRows().map { try device.state.path(of: $0) })
    }

    @Test func eachFolderIsReadOnceAndNothingIsLeftOut() async throws {
        // The first of a process looks after what an earlier one left.
        #expect(try await scan() == 0)
        for name in ["a", "b", "b/c", "b/c/d", "e"] as [DrivePath] { try makeFolder(name, files: 3) }
        var lists: [Int: Int] = [:]
        device.folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .list { lists[operation.folder, default: 0] += 1 }
        }
        #expect(try await scan() == 20)
        // The drive's own folder once more, for the digest that would tell that it is as it was.
        #expect(lists.values.sorted() == [1, 1, 1, 1, 1, 2])
        #expect(try paths().count == 21)
        device.folder.beforeOperation = nil
        #expect(try await scan() == 0)
    }

    /// What a part has still before it moves to where an earlier one was.
    @Test func whatMovesMeanwhileIsFound() async throws {
        for name in ["a", "b", "c"] as [DrivePath] { try makeFolder(name, files: 4) }
        atFirstRead { folder in
            if let from = folder.place("c"), let to = folder.place("a/c") { folder.move(from: from, to: to) }
        }
        #expect(try await scan() == 16)
        #expect(try paths().contains("a/c/3"))
        #expect(try !paths().contains("c"))
    }

    /// What changed in known folders is recorded in parts as well, and each of them is compared once.
    @Test func whatChangedInItsPlaceIsRecordedInParts() async throws {
        for name in ["a", "b", "c"] as [DrivePath] { try makeFolder(name, files: 6) }
        for expected in [21, 0, 0] { #expect(try await scan() == expected) }
        clock.advance(by: RunPlan.tick)
        for name in ["a", "b", "c"] as [DrivePath] {
            for n in 0..<6 { device.folder.write([UInt8(n)], at: try place(name.appending(FileName("\(n)")))) }
        }
        var lists: [Int: Int] = [:]
        device.folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .list { lists[operation.folder, default: 0] += 1 }
        }
        let groups = try device.state.pendingGroups().count
        #expect(try await scan() == 18)
        #expect(try device.state.pendingGroups().count - groups > 3)
        // Once for the digest that tells that it is not as it was, and once to compare.
        #expect(lists.values.allSatisfy { $0 <= 2 }, "\(lists)")
        device.folder.beforeOperation = nil
        #expect(try await scan() == 0)
    }

    /// Moves have both of their ends looked at, though each is in another part: nothing is deleted and made anew.
    @Test(arguments: [("a", "c"), ("c", "a")])
    func whatMovedBetweenPartsIsAMove(source: String, target: String) async throws {
        for name in ["a", "b", "c"] as [DrivePath] { try makeFolder(name, files: 6) }
        try makeFolder(DrivePath([FileName(source), "inner"]), files: 2)
        for expected in [24, 0] { #expect(try await scan() == expected) }
        let (file, folder) = (DrivePath([FileName(source), "0"]), DrivePath([FileName(source), "inner"]))
        let moved = DrivePath([FileName(target), "moved"])
        let movedFolder = DrivePath([FileName(target), "moved folder"])
        let ids = try [file, folder].map { try device.state.row(at: $0)?.id }
        clock.advance(by: RunPlan.tick)
        for name in ["a", "b", "c"] as [DrivePath] {
            for n in 1..<6 { device.folder.write([UInt8(n)], at: try place(name.appending(FileName("\(n)")))) }
        }
        device.folder.move(from: try place(file), to: try place(moved))
        device.folder.move(from: try place(folder), to: try place(movedFolder))
        #expect(try await scan() == 17)
        #expect(try [moved, movedFolder].map { try device.state.row(at: $0)?.id } == ids)
        #expect(try await scan() == 0)
    }

    /// Of one folder too: what a part has found is read and recorded before more of it is looked at.
    @Test func aLargeFolderIsRecordedInParts() async throws {
        #expect(try await scan() == 0)
        try makeFolder("a", files: 30)
        var (looks, mostLooks) = (0, 0)
        var lists: [Int: Int] = [:]
        device.folder.beforeOperation = { operation throws(DriveError) in
            switch operation.kind {
            case .list: lists[operation.folder, default: 0] += 1
            case .look: looks += 1
            case .read: (looks, mostLooks) = (0, max(looks, mostLooks))
            default: break
            }
        }
        #expect(try await scan() == 31)
        #expect(mostLooks <= 8, "\(mostLooks) were looked at before one was read")
        // The drive's own folder once more, for the digest that would tell that it is as it was.
        #expect(lists.values.sorted() == [1, 2])
        device.folder.beforeOperation = nil
        #expect(try paths().count == 32)
        #expect(try await scan() == 0)
    }

    /// A folder that is begun makes room for another of its name: what was listed is not looked for in the other.
    @Test func aFolderThatIsReplacedMeanwhileIsNotMixedUp() async throws {
        try makeFolder("a", files: 10)
        atFirstRead { folder in
            guard let from = folder.place("a"), let to = folder.place("b") else { return }
            folder.move(from: from, to: to)
            folder.makeFolder(at: from)
            for name in ["8", "new"] {
                if let place = folder.place(DrivePath(["a", FileName(name)])) {
                    folder.create(Array("other \(name)".utf8), at: place)
                }
            }
        }
        _ = try await scan()
        device.folder.beforeOperation = nil
        _ = try await scan()
        #expect(try await scan() == 0)
        let old = (0..<10).map { DrivePath(["b", FileName("\($0)")]) }
        #expect(try paths() == Set(old + ["", "a", "b", "a/8", "a/new"]))
        let hashes = try ["a/8", "b/8"].map { try device.state.row(at: $0)?.hash }
        #expect(hashes[0] != nil && hashes[0] != hashes[1])
    }

    /// What goes or comes behind the part that is read is found by the scan after it.
    @Test func whatIsRenamedBehindThePartIsFoundLater() async throws {
        try makeFolder("a", files: 10)
        atFirstRead { folder in
            if let from = folder.place("a/9"), let to = folder.place("a/0 too") { folder.move(from: from, to: to) }
        }
        _ = try await scan()
        device.folder.beforeOperation = nil
        _ = try await scan()
        #expect(try await scan() == 0)
        #expect(try paths().contains("a/0 too"))
        #expect(try !paths().contains("a/9"))
        #expect(try paths().count == 12)
    }

    @Test(arguments: [("0", "z"), ("5", "-")])
    func whatMovedWithinALargeFolderIsAMove(name: String, newName: String) async throws {
        try makeFolder("a", files: 6)
        for expected in [7, 0] { #expect(try await scan() == expected) }
        let (old, new) = (DrivePath(["a", FileName(name)]), DrivePath(["a", FileName(newName)]))
        let id = try device.state.row(at: old)?.id
        clock.advance(by: RunPlan.tick)
        for n in 0..<6 where "\(n)" != name {
            device.folder.write([UInt8(n)], at: try place(DrivePath(["a", FileName("\(n)")])))
        }
        device.folder.move(from: try place(old), to: try place(new))
        #expect(try await scan() == 6)
        #expect(try device.state.row(at: new)?.id == id)
        #expect(try await scan() == 0)
    }

    /// What has the bytes and dates of something that is missing is that, whatever part it is found with.
    @Test func whatWasCopiedWithinALargeFolderAndDeletedIsAMove() async throws {
        try makeFolder("a", files: 10)
        for expected in [11, 0] { #expect(try await scan() == expected) }
        func ids() throws -> Set<RowID> { Set(try device.state.allRows().filter { $0.kind == .file }.map(\.id)) }
        let before = try ids()
        clock.advance(by: RunPlan.tick)
        for n in 0..<10 {
            let old = try place(DrivePath(["a", FileName("\(n)")]))
            device.folder.copy(from: old, to: try place(DrivePath(["a", FileName("copy \(n)")])))
            device.folder.remove(at: old)
        }
        #expect(try await scan() == 10)
        #expect(try ids() == before)
        #expect(try await scan() == 0)
    }
}
