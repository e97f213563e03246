import DriveCore
import FileCoordination
import Testing

@testable import DocumentDrive

/// How the conflicts of one file are ended that has several copies.
struct SeveralCopiesPlanTests {
    private static let file = DrivePath("f")
    private static let lines = ["one\n", "two\n", "three\n"]
    /// Every text of some of the lines, in their order.
    private static let texts = (0..<8).map { bits in
        (0..<3).filter { bits >> $0 & 1 == 1 }.map { lines[$0] }.joined()
    }

    private static func copy(_ number: Int) -> DrivePath { DrivePath("f copy \(number)") }

    private static func side(_ text: String, modified: Int64 = 1) -> Conflict.Side {
        let time = FileTime(seconds: modified, nanoseconds: 0)
        let facts = FileFacts(
            kind: .file, identity: FileIdentity(inode: 1, birth: nil), size: UInt64(text.utf8.count), modified: time,
            changed: time)
        return Conflict.Side(facts: facts, hash: ContentHasher.hash(of: Array(text.utf8)))
    }

    /// The file and its copies, each with the class that a pass finds.
    private static func conflicts(_ file: Conflict.Side, _ copies: [Conflict.Side]) -> [Conflict] {
        copies.enumerated().map { number, side in
            Conflict(
                id: "id\(number)", current: Self.file, copy: copy(number), currentSide: file, copySide: side,
                kind: .divergent)
        }
    }

    private static func conflicts(_ texts: [String], ancestor: String? = nil) -> [Conflict] {
        let copies = texts.dropFirst()
        let ancestor = ancestor.map { Array($0.utf8) }
        return zip(conflicts(side(texts[0]), copies.map { side($0) }), copies).map { conflict, text in
            var conflict = conflict
            conflict.kind = ConflictClass(Array(texts[0].utf8), Array(text.utf8), ancestor: ancestor)
            conflict.ancestor = ancestor.map { ContentHasher.hash(of: $0) }
            return conflict
        }
    }

    private static func disk(_ texts: [String]) -> [DrivePath: String] {
        var disk = [file: texts[0]]
        for (number, text) in texts.dropFirst().enumerated() { disk[copy(number)] = text }
        return disk
    }

    private static func plan(
        _ conflicts: [Conflict], _ how: ConflictResolution, _ disk: [DrivePath: String] = [:], ancestor: String = ""
    ) throws -> ResolutionPlan {
        let source = ResolutionPlan.Source(
            text: { path, hash in
                let text = disk[path].map { Array($0.utf8) }
                return text.map { ContentHasher.hash(of: $0) } == hash ? text : nil
            },
            ancestor: { _ in Array(ancestor.utf8) })
        return try ResolutionPlan(conflicts, how, source)
    }

    /// Does what is planned, the way the runner does: what is not as it is expected to be stops what belongs together.
    private static func after(_ plan: ResolutionPlan, _ disk: [DrivePath: String]) -> [DrivePath: String] {
        var disk = disk
        func isThere(_ path: DrivePath, _ hash: ContentHash?) -> Bool {
            guard let text = disk[path] else { return false }
            return hash == nil || ContentHasher.hash(of: Array(text.utf8)) == hash
        }
        for deed in plan.resolved.flatMap(\.deeds) {
            switch deed {
            case .expect(let path, let hash): #expect(isThere(path, hash))
            case .takeAway(let path, let hash):
                #expect(isThere(path, hash))
                disk[path] = nil
            case .moveOver(let from, let hash, let to, let old):
                #expect(isThere(from, hash) && isThere(to, old))
                disk[to] = disk.removeValue(forKey: from)
            case .write(let bytes, let path, let old):
                #expect(isThere(path, old))
                disk[path] = String(decoding: bytes, as: UTF8.self)
            default: Issue.record("\(deed) is not planned for texts")
            }
        }
        return disk
    }

    private static func linesOf(_ disk: [DrivePath: String]) -> Set<Substring> {
        Set(disk.values.flatMap { $0.split(separator: "\n") })
    }

    /// Whatever the file and two copies of it hold.
    @Test func whatIsSuggestedLosesNoLine() throws {
        for file in Self.texts {
            for one in Self.texts {
                for other in Self.texts {
                    let disk = Self.disk([file, one, other])
                    let plan = try Self.plan(Self.conflicts([file, one, other]), .suggested, disk)
                    let after = Self.after(plan, disk)
                    #expect(Self.linesOf(after) == Self.linesOf(disk), "\([file, one, other])")
                    #expect(plan.resolved.count + plan.left.count == 2)
                }
            }
        }
    }

    @Test func ofCopiesThatGrowTheOneWithAllLinesStays() throws {
        for texts in [["one\n", "one\ntwo\n", "one\ntwo\nthree\n"], ["one\n", "one\ntwo\nthree\n", "one\ntwo\n"]] {
            let disk = Self.disk(texts)
            let plan = try Self.plan(Self.conflicts(texts), .suggested, disk)
            #expect(Self.after(plan, disk) == [Self.file: "one\ntwo\nthree\n"])
        }
    }

    /// What was merged is not replaced by a copy that had more than the file alone.
    @Test func aMergedTextIsMergedAgain() throws {
        let before = "1\n2\n3\n4\n5\n6\n7\n"
        let texts = ["one\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\n4\n5\n6\nseven\n", "one\n2\n3\nand\n4\n5\n6\n7\n"]
        let conflicts = Self.conflicts(texts, ancestor: before)
        #expect(conflicts.map(\.suggestion) == [.merge, .keepCopy])
        let disk = Self.disk(texts)
        let plan = try Self.plan(conflicts, .suggested, disk, ancestor: before)
        #expect(Self.after(plan, disk) == [Self.file: "one\n2\n3\nand\n4\n5\n6\nseven\n"])
    }

    @Test func whatDiffersFromTheCopyBeforeIsLeft() throws {
        let texts = ["one\n", "one\ntwo\n", "one\nthree\n"]
        let disk = Self.disk(texts)
        let plan = try Self.plan(Self.conflicts(texts), .suggested, disk)
        #expect(plan.resolved.map(\.conflict.id) == ["id0"])
        #expect(plan.left.map(\.conflict.id) == ["id1"])
        #expect(plan.left.first?.reason.hasPrefix("another of its copies comes first") == true)
        // One that was saved meanwhile is not judged by what it was.
        var saved = disk
        saved[Self.copy(1)] = "all else\n"
        #expect(try Self.plan(Self.conflicts(texts), .suggested, saved).left.first?.reason == ResolutionPlan.notHere)
    }

    @Test(arguments: [[3, 300, 30], [3, 30, 300], [300, 3, 30], [30, 300, 3], [30, 3, 300], [5, 5, 5]])
    func theLargestOfAllStays(_ sizes: [Int]) throws {
        let texts = zip(sizes, ["a", "b", "c"]).map { String(repeating: $1, count: $0) }
        let disk = Self.disk(texts)
        let plan = try Self.plan(Self.conflicts(texts), .keep(.largest), disk)
        // Of those that are equally large the file's own.
        #expect(Self.after(plan, disk) == [Self.file: texts[sizes.firstIndex(of: sizes.max() ?? 0) ?? 0]])
        #expect(plan.left.isEmpty)
    }

    @Test(arguments: [[1, 3, 2], [1, 2, 3], [3, 1, 2], [2, 2, 1]] as [[Int64]])
    func theNewestOfAllStays(_ dates: [Int64]) throws {
        let texts = ["a", "b", "c"]
        let sides = zip(texts, dates).map { Self.side($0, modified: $1) }
        let disk = Self.disk(texts)
        let plan = try Self.plan(Self.conflicts(sides[0], Array(sides.dropFirst())), .keep(.newest), disk)
        #expect(Self.after(plan, disk) == [Self.file: texts[dates.firstIndex(of: dates.max() ?? 0) ?? 0]])
    }

    /// It stays a conflict with what wins of the others.
    @Test func whatIsNotHereIsNotCompared() throws {
        let texts = ["a", "bbb", "cc"]
        var conflicts = Self.conflicts(texts)
        conflicts[0].copySide?.hash = nil
        let disk = Self.disk(texts)
        let plan = try Self.plan(conflicts, .keep(.largest), disk)
        #expect(Self.after(plan, disk) == [Self.file: "cc", Self.copy(0): "bbb"])
        #expect(plan.left.map(\.reason) == [ResolutionPlan.notHere])
    }

    @Test func oneCopyOfSeveralHasToBeNamed() throws {
        let texts = ["a", "b", "c"]
        let conflicts = Self.conflicts(texts)
        let plan = try Self.plan(conflicts, .keep(.copy))
        #expect(plan.resolved.isEmpty)
        #expect(plan.left.map(\.conflict.id) == ["id0", "id1"])
        for (left, id) in zip(plan.left, ["id0", "id1"]) {
            #expect(left.reason.contains("`docdrive conflicts resolve \(id) --keep copy` takes this one"))
        }
        let disk = Self.disk(texts)
        let named = try Self.plan([conflicts[1]], .keep(.copy), disk)
        #expect(Self.after(named, disk) == [Self.file: "c", Self.copy(0): "b"])
    }

    @Test(arguments: [ConflictResolution.keep(.current), .keep(.copy), .keep(.newest), .merge, .suggested])
    func aConflictThatIsNamedTwiceCountsOnce(_ how: ConflictResolution) throws {
        let texts = ["one\n", "one\ntwo\n"]
        let conflicts = Self.conflicts(texts)
        let plan = try Self.plan(conflicts + conflicts, how, Self.disk(texts))
        #expect(plan.resolved.count + plan.left.count == 1)
        #expect(plan.left.isEmpty == (how != .merge))
    }
}
