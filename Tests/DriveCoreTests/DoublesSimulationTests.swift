import DriveCore
import DriveTesting
import Foundation
import Testing

@Suite struct DoublesSimulationTests {
    @Test func aSoleUserNeverBreaksAPromise() throws {
        for seed in 0..<2_000 {
            let folder = MemoryFolder()
            var history = History()
            var generator = SeededGenerator(seed: UInt64(seed))
            let acts = generator.choice([UserAct.ordinary, UserAct.aboutFolders + UserAct.filling, UserAct.allCases])
            for _ in 0..<40 {
                _ = SimulatedUser.act(oneOf: acts, on: folder, device: 0, history: &history, seed: generator.next())
            }
            let drive = QuietDrive(
                devices: [QuietDrive.Device(label: "A", folder: folder)], view: folder.tree(), derived: [:])
            do {
                try drive.check(history, allowsCopies: false)
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
        }
    }

    @Test func everyActHappens() {
        var seen: Set<UserAct> = []
        let folder = MemoryFolder()
        var history = History()
        for seed in 0..<3_000 {
            let done = SimulatedUser.act(
                oneOf: UserAct.allCases, on: folder, device: 0, history: &history, seed: UInt64(seed))
            if let done { seen.insert(done.act) }
        }
        #expect(seen == Set(UserAct.allCases))
    }

    @Test func equalSeedsDoEqualThings() {
        func run() -> ([DrivePath: TreeEntry], [String]) {
            let folder = MemoryFolder()
            var history = History()
            var lines: [String] = []
            for seed in 0..<200 {
                let done = SimulatedUser.act(on: folder, device: 0, history: &history, seed: UInt64(seed))
                if let done { lines.append(done.description) }
            }
            return (folder.tree(), lines)
        }
        let (a, b) = (run(), run())
        #expect(a.0 == b.0)
        #expect(a.1 == b.1)
    }

    private func drive(_ view: [DrivePath: TreeEntry], trash: [Body] = [], derived: [DrivePath: FileName] = [:])
        -> QuietDrive
    {
        let folder = MemoryFolder()
        for (path, entry) in view.sorted(by: { $0.key < $1.key }) {
            guard let place = folder.place(path) else { continue }
            if case .file(let bytes) = entry { folder.create(bytes, at: place) } else { folder.makeFolder(at: place) }
        }
        var device = QuietDrive.Device(label: "A", folder: folder)
        device.trash = trash.map(\.bytes)
        return QuietDrive(devices: [device], view: view, derived: derived)
    }

    private func broken(_ drive: QuietDrive, _ history: History, allowsCopies: Bool = true) -> Invariant? {
        do {
            try drive.check(history, allowsCopies: allowsCopies)
            return nil
        } catch {
            return error.invariant
        }
    }

    @Test func eachBrokenPromiseIsSeen() {
        let (x, y) = (Body(number: 10), Body(number: 11))
        var history = History()
        history.save(x)
        history.save(y)
        let both: [DrivePath: TreeEntry] = ["x": .file(x.bytes), "y": .file(y.bytes)]
        #expect(broken(drive(both), history) == nil)
        #expect(broken(drive(["x": .file(x.bytes)]), history) == .nothingLost)
        #expect(broken(drive(["x": .file(x.bytes)], trash: [y]), history) == .nothingLost)
        #expect(broken(drive(both, trash: [y]), history) == .noNeedlessTrash)
        #expect(broken(drive(both.merging(["z": .file([9])]) { $1 }), history) == .wholeFilesOnly)
        var other = drive(both)
        other.view["x"] = .folder
        #expect(broken(other, history) == .convergence)
        other = drive(both)
        other.devices[0].leftovers = ["in"]
        #expect(broken(other, history) == .idempotence)

        var deleted = history
        deleted.excused.insert(y)
        deleted.deleted.insert(y)
        #expect(broken(drive(["x": .file(x.bytes)], trash: [y]), deleted) == nil)
        #expect(broken(drive(both), deleted) == .noResurrection)
        deleted.touch(y)
        #expect(broken(drive(both), deleted) == nil)
    }

    @Test func needlessCopiesAreSeen() {
        let (x, y) = (Body(number: 10), Body(number: 11))
        var history = History()
        history.save(x)
        history.save(y)
        let copy: DrivePath = "x (conflicted copy from B 2026-01-01 000001).txt"
        let twoContents: [DrivePath: TreeEntry] = ["x.txt": .file(x.bytes), copy: .file(y.bytes)]
        #expect(broken(drive(twoContents, derived: [copy: "x.txt"]), history) == nil)
        #expect(broken(drive(twoContents, derived: [copy: "x.txt"]), history, allowsCopies: false) == .noNeedlessCopy)
        history.excused.insert(y)
        let equal: [DrivePath: TreeEntry] = ["x.txt": .file(x.bytes), copy: .file(x.bytes)]
        #expect(broken(drive(equal, derived: [copy: "x.txt"]), history) == .noNeedlessCopy)
        #expect(broken(drive(equal, derived: [:]), history) == nil, "a copy that somebody made of it is theirs")
    }

    @Test(arguments: [
        ("a (conflicted copy from B 2026-08-21 140307).ods", "a.ods", "B"),
        ("a (conflicted copy from my pc 2026-08-21 140307) 2.tar.gz", "a.tar.gz", "my pc"),
        (".x (conflicted copy from B 2026-08-21 140307)", ".x", "B"),
    ])
    func conflictCopiesAreRecognised(_ name: String, _ original: String, _ label: String) throws {
        let copy = try #require(ConflictCopyName(FileName(name)))
        #expect(copy.original == FileName(original))
        #expect(copy.label == label)
    }

    @Test(arguments: [
        "a", "a (conflicted copy from B).ods", "a (conflicted copy from B 2026-08-21 14030)",
        "a (conflicted copy from B 2026-08-21 140307)x", "a (conflicted copy from 2026-08-21 140307)",
    ])
    func otherNamesAreNot(_ name: String) { #expect(ConflictCopyName(FileName(name)) == nil) }

    @Test func shrinkingKeepsOnlyWhatFails() async {
        let found = await Shrinker.shrink(Array(0..<60)) { $0.contains(7) && $0.contains(41) && $0.contains(42) }
        #expect(found == [7, 41, 42])
    }

    @Test func allMergeCasesAreUnderstood() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../FileCoordinationTests/Cases/merge_cases.jsonl").standardizedFileURL
        let cases = try MergeCase.parse(Array(try Data(contentsOf: file)))
        #expect(cases.count == 283)
        #expect(cases.filter { $0.devices.count == 3 }.count == 15)
        let copies = cases.flatMap(\.expected.keys).filter { $0.name?.bytes.contains(0x2A) == true }
        #expect(copies.count > 50)
    }
}
