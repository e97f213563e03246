@testable import DriveCore
import DriveTesting
import Testing

@Suite("Records of a scan")
struct ScanRecordTests {
    private func bench(_ paths: [DrivePath: UInt64?]) throws -> ScanBench {
        var bench = ScanBench()
        for (path, content) in paths.sorted(by: { $0.key < $1.key }) {
            bench.make(path, content == nil ? .folder : .file, content: content ?? 0)
        }
        try bench.scan()
        return bench
    }

    @Test func recordsOfOneScanShareTheTimeAndCountUp() throws {
        var bench = ScanBench()
        bench.make("a", .folder)
        bench.make("a/f", content: 1)
        bench.make("g", content: 2)
        let records = try bench.scan()
        #expect(records.count == 3)
        #expect(Set(records.map(\.newestTime)) == [HybridTime(milliseconds: bench.now)])
        #expect(records.map { $0.context[bench.device] }.sorted() == [1, 2, 3])
        #expect(bench.state.numbers().last == 3)
    }

    @Test func scanWithoutChangeWritesNothing() throws {
        let bench = try bench(["a": nil, "a/f": 1])
        let numbers = bench.state.numbers()
        #expect(try bench.scan().isEmpty)
        #expect(bench.state.numbers() == numbers)
    }

    @Test func timeNeverGoesBack() throws {
        var bench = try bench(["f": 1])
        let first = bench.state.numbers().clock
        bench.now = 5
        bench.write("f", 2)
        #expect(try bench.scan()[0].heads[0].time == first.next)
    }

    @Test func newTagIsLaterThanAnyThatItReplacesHoweverWrongTheClockThatMadeIt() throws {
        var bench = try bench(["f": 1])
        var far = try #require(try bench.item("f"))
        let time = HybridTime(milliseconds: bench.now + 100 * RecordNumbers.greatestAdvance)
        let dot = Dot(device: DeviceID(high: 9, low: 0), n: 1)
        far.name = Register(tag: Tag(time: time, dot: dot), value: "f")
        far.context[dot.device] = 1
        try bench.learn([far])
        // Its own clock follows by an hour at most.
        #expect(bench.state.numbers().clock.milliseconds == bench.now + RecordNumbers.greatestAdvance)
        bench.move("f", "g")
        let record = try bench.scan()[0]
        #expect(record.name.tag.time == time.next)
        #expect(try bench.shown.keys.map(\.description) == ["g"])
    }

    @Test func withoutStoreRowsAreKeptAndNoRecords() throws {
        var bench = ScanBench()
        bench.make("f", content: 1)
        #expect(try bench.scan(makesRecords: false).isEmpty)
        #expect(bench.state.rowCount() == 1)
        #expect(bench.state.allItems().isEmpty)
    }

    @Test func editReplacesTheHeadAndKeepsTheItem() throws {
        var bench = try bench(["f": 1])
        let old = try #require(try bench.item("f"))
        bench.save("f", 2)
        let new = try bench.scan()[0]
        #expect(new.id == old.id)
        #expect(new.heads.map(\.content.hash) == [ScanBench.hash(2)])
        #expect(new.heads[0].content.was == Content.Predecessor(old.heads[0].dot))
        #expect(new.life == [LifeDot(dot: new.heads[0].dot)])
        #expect(new.name == old.name)
    }

    @Test func attributeAloneDoesNotKeepTheItem() throws {
        var bench = try bench(["f": 1])
        let old = try #require(try bench.item("f"))
        bench.disk[try #require(bench.inode("f"))]?.isExecutable = true
        let new = try bench.scan()[0]
        #expect(new.attributes[.executable]?.value == [1])
        #expect(new.life == old.life)
        #expect(new.heads == old.heads)
    }

    /// A content brings its own time: what was said of an older one is not in force any more.
    @Test func aTimeThatIsSetAgainAfterAnEditIsAChange() throws {
        var bench = try bench(["f": 1])
        bench.touch("f", 3)
        #expect(try bench.scan()[0].attributes[.modified]?.value == FileTime(seconds: 3).attributeBytes)
        bench.write("f", 2)
        try bench.scan()
        bench.touch("f", 3)
        #expect(try bench.scan().count == 1)
        #expect(try bench.shownTimes == ["f": FileTime(seconds: 3)])
        #expect(try bench.scan().isEmpty)
    }

    @Test func deleteByItselfRemovesLifeAndKeepsTheHead() throws {
        var bench = try bench(["f": 1])
        bench.remove("f")
        let record = try bench.scan()[0]
        #expect(record.life.isEmpty)
        #expect(record.heads.map(\.mark) == [.bySelf])
    }

    @Test func deleteWithItsFolderNamesTheNearestOne() throws {
        var bench = try bench(["p": nil, "p/q": nil, "p/q/f": 1])
        let p = try #require(try bench.item("p")?.id)
        let q = try #require(try bench.item("p/q")?.id)
        let f = try #require(try bench.item("p/q/f")?.id)
        bench.remove("p")
        let records = Dictionary(uniqueKeysWithValues: try bench.scan().map { ($0.id, $0) })
        #expect(records[p]?.life == [])
        #expect(records[q]?.life.map(\.mark) == [Mark(folders: [p])])
        #expect(records[f]?.life.map(\.mark) == [Mark(folders: [q])])
        #expect(records[f]?.heads.map(\.mark) == [Mark(folders: [q])])
        #expect(try bench.shown.isEmpty)
    }

    @Test func folderMoveIsOneRecord() throws {
        var bench = try bench(["p": nil, "p/f": 1, "q": nil])
        bench.move("p", "q/r")
        let records = try bench.scan()
        #expect(records.count == 1)
        #expect(records[0].placement.value.from == .root)
        #expect(try bench.shown == bench.tree)
    }

    @Test func touchedCopyBecomesAnItemOfItsOwn() throws {
        var bench = try bench(["f": 1])
        let item = try #require(try bench.item("f"))
        // Somebody else edited the first version, later.
        let dot = Dot(device: DeviceID(high: 9, low: 0), n: 1)
        let time = HybridTime(milliseconds: bench.now + 1_000)
        var other = item
        other.heads = [Head(dot: dot, time: time, content: item.heads[0].content)]
        other.heads[0].content.hash = ScanBench.hash(9)
        other.context[dot.device] = 1
        bench.write("f", 2)
        try bench.scan()
        try bench.learn([other])
        #expect(Set(try bench.shown.values) == [2, 9])
        // As apply would: this device's own version is now shown as the copy.
        let copy = try #require(try ViewReader(bench.state).allEntries().first(where: \.isDerived))
        bench.move("f", DrivePath([copy.name]))
        bench.make("f", content: 9)
        #expect(try bench.shown == bench.tree)
        var row = try #require(bench.state.allRows().first { $0.kind == .file })
        row.name = copy.name
        try row.stand(for: copy, copy.members, bench.state)
        bench.state.save(row)
        // The other version is adopted: no record.
        #expect(try bench.scan().isEmpty)
        bench.write(DrivePath([copy.name]), 3)
        let records = try bench.scan()
        #expect(records.count == 2)
        #expect(
            records.contains {
                $0.id == .promotedCopy(of: item.id, dot: copy.primary.dots[0]) && $0.name.value == copy.name
            })
        #expect(try bench.shown == bench.tree)
    }

    @Test func moveInAGroupPinsBrokenCycles() throws {
        var bench = try bench(["p": nil, "q": nil, "r": nil])
        let p = try #require(try bench.item("p"))
        var q = try #require(try bench.item("q"))
        bench.move("p", "q/p")
        try bench.scan()
        let tag = Tag(time: HybridTime(milliseconds: bench.now + 9), dot: Dot(device: DeviceID(high: 9, low: 0), n: 1))
        q.placement = Register(tag: tag, value: Placement(parent: p.id, from: .root))
        q.context[tag.device] = 1
        try bench.learn([q])
        #expect(bench.state.undone() == [q.id])
        bench.move("r", "q/r")
        let records = try bench.scan()
        #expect(records.first { $0.id == q.id }?.parent == .root)
        #expect(bench.state.undone().isEmpty)
        #expect(try bench.shown == bench.tree)
    }

    @Test("After any scan the view is the disk, and a second scan is silent", arguments: 0..<100)
    func viewIsTheDisk(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var bench = ScanBench(seed: UInt64(seed))
        for _ in 0..<25 {
            for _ in 0..<random.number(in: 1...4) { bench.act(&random) }
            bench.now += UInt64(random.below(3))
            let records = try bench.scan()
            #expect(Set(records.map(\.id)).count == records.count)
            #expect(try bench.shown == bench.tree, "seed \(seed)")
            #expect(try bench.shownTimes == bench.times, "seed \(seed)")
            #expect(try bench.scan().isEmpty)
            let full = FullView(bench.state.allItems().map(\.state), labels: bench.state.labels())
            #expect(full.entries.count == bench.disk.count)
        }
    }
}

extension ScanBench {
    fileprivate mutating func act(_ random: inout SeededGenerator) {
        let names: [FileName] = ["a", "b", "c", "d.txt"]
        let folders = [DrivePath.root] + tree.filter { $0.value == nil }.keys.sorted()
        let all = tree.keys.sorted()
        let target = random.choice(folders).appending(random.choice(names))
        let content = UInt64(random.below(6))
        guard let from = all.isEmpty ? nil : random.choice(all), random.chance(percent: 75) else {
            if inode(target) == nil { make(target, random.chance(percent: 40) ? .folder : .file, content: content) }
            return
        }
        let isFile = tree[from]! != nil
        switch random.below(7) {
        case 0: remove(from)
        case 6 where isFile: touch(from, Int64(random.below(3)))
        case 1 where isFile: write(from, content)
        case 2 where isFile: save(from, content)
        case 3:
            let other = random.choice(all)
            if !from.isInside(other), !other.isInside(from) { swap(from, other) }
        default: if !target.isInside(from), !from.isInside(target) { move(from, target) }
        }
    }
}
