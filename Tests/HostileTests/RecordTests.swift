import DriveCore
import Foundation
import Testing

/// SE10, SE11: records that are well formed and lie. Nothing traps, the honest goes on, and what a victim saves later still
/// reaches the others.
@Suite struct RecordTests {
    /// A victim beside an honest device and whatever the hostile one published before it came.
    private struct Scene {
        let world: World
        let honest: Device
        let victim: Device
        var evil: HostileDevice

        init() async throws {
            world = try World()
            honest = try world.device("honest")
            try honest.write("letter.txt", "hello")
            try await honest.sync()
            victim = try world.device("victim")
            try await victim.sync()
            evil = world.hostile()
        }

        /// Both take part in the drive as if nobody had lied.
        func expectOrder() async throws {
            try await victim.sync()
            try victim.write("note", "from the victim")
            try honest.write("letter.txt", "hello again")
            for _ in 0..<2 {
                try await victim.sync()
                try await honest.sync()
            }
            try await victim.sync()
            #expect(victim.text("letter.txt") == "hello again")
            #expect(honest.text("note") == "from the victim")
            // At rest: nobody answers a lie with records for ever.
            #expect(try await victim.sync().records == 0)
            #expect(try await honest.sync().records == 0)
        }
    }

    @Test func aRecordAboutTheRootIsRefused() async throws {
        var scene = try await Scene()
        for kind in [ItemKind.file, .folder, .link] {
            try await scene.evil.publish([
                scene.evil.item("root", kind, content: kind == .folder ? nil : scene.evil.link("x"), id: .root)
            ])
        }
        try await scene.expectOrder()
        #expect(try scene.victim.problems.contains { $0.contains("about the root") })
    }

    @Test func aRecordThatHoldsWhatItDoesNotKnowIsRefused() async throws {
        var scene = try await Scene()
        var item = scene.evil.item("x", content: scene.evil.link("x"))
        // What the victim will write next.
        item.heads[0].dot = Dot(device: try scene.victim.id, n: 1)
        item.life = [LifeDot(dot: item.heads[0].dot)]
        try await scene.evil.publish([item])
        try await scene.expectOrder()
        #expect(try scene.victim.problems.contains { $0.contains("does not know what is in it") })
    }

    /// A device whose numbers others claim to have seen takes a new id, or it could never publish again.
    @Test(arguments: [1, 7, UInt64.max])
    func numbersThatTheVictimHasNotUsedAreNoObstacle(n: UInt64) async throws {
        for device in [0, 1, 2] {
            var scene = try await Scene()
            let id = try device == 0 ? scene.victim.id : scene.honest.id
            var item = scene.evil.item("x", .link, content: scene.evil.link("x"))
            item.context[id] = n
            var seen = DeviceVector()
            if device == 2 { seen[try scene.victim.id] = n }
            try await scene.evil.publish([item], seen: seen)
            try await scene.expectOrder()
        }
    }

    @Test func numbersAtTheirEndAreNoObstacle() async throws {
        var scene = try await Scene()
        let dot = Dot(device: scene.evil.id, n: .max)
        let tag = Tag(time: HybridTime(milliseconds: 5), dot: dot)
        let item = ItemState(
            id: ItemID(high: 3, low: 4), kind: .link, context: DeviceVector(dot.device, .max),
            name: Register(tag: tag, value: "x"),
            placement: Register(tag: tag, value: Placement(parent: .root, from: .root)),
            heads: [Head(dot: dot, time: tag.time, content: scene.evil.link("x"))], life: [LifeDot(dot: dot)])
        try await scene.evil.publish([item], through: .max)
        try await scene.expectOrder()
        #expect(try scene.victim.index.token()[scene.evil.id] == .max)
    }

    /// It may keep the name of its own item; it does not get at the clocks of others, and not at what is saved with it.
    @Test func theLastTimeOfAllDoesNotSpread() async throws {
        var scene = try await Scene()
        let content = try await scene.evil.content(Array("bad".utf8))
        try await scene.evil.publish([scene.evil.item("x", content: content, time: HybridTime(rawValue: .max))])
        try await scene.victim.sync()
        try scene.victim.write("x", "edited")
        try scene.victim.write("letter.txt", "edited with it")
        try await scene.victim.sync()
        try await scene.honest.sync()
        #expect(scene.honest.text("x") == "edited" && scene.honest.text("letter.txt") == "edited with it")
        try FileManager.default.moveItem(
            at: scene.victim.root.appending(path: "x"), to: scene.victim.root.appending(path: "y"))
        try await scene.expectOrder()
        let bound = HybridTime(milliseconds: scene.world.clock.milliseconds() + RecordNumbers.greatestAdvance + 1)
        for device in [scene.honest, scene.victim] {
            #expect(try device.index.numbers().clock <= bound)
            for item in try device.index.allItems() where item.state.name.value == "letter.txt" {
                #expect(item.state.newestTime <= bound)
            }
        }
    }

    @Test func anItemOfTwoKindsTrapsNobody() async throws {
        var scene = try await Scene()
        let letter = try #require(try scene.victim.index.allItems().first)
        for kind in [ItemKind.folder, .link] {
            try await scene.evil.publish([
                scene.evil.item("other", kind, content: kind == .link ? scene.evil.link("x") : nil, id: letter.id),
                scene.evil.item("inside", in: letter.id, content: scene.evil.content([1])),
            ])
            for _ in 0..<2 {
                try await scene.victim.sync()
                try await scene.honest.sync()
            }
        }
        let newcomer = try scene.world.device("newcomer", checksView: true)
        try await newcomer.sync()
        try scene.victim.write("note", "from the victim")
        try await scene.victim.sync()
        try await newcomer.sync()
        #expect(newcomer.text("note") == "from the victim")
    }

    @Test func bodiesThatDoNotFitTheirKindAreNamed() async throws {
        var scene = try await Scene()
        let content = try await scene.evil.content(Array("chunks".utf8))
        let link = scene.evil.link("inline")
        let long = Content.link(target: Array(repeating: 0x61, count: 5_000), modified: FileTime(seconds: 1))
        let nul = Content.link(target: [0x61, 0], modified: FileTime(seconds: 1))
        try await scene.evil.publish([
            scene.evil.item("link-of-chunks", .link, content: content),
            scene.evil.item("file-of-target", .file, content: link),
            scene.evil.item("folder-of-chunks", .folder, content: content),
            scene.evil.item("file-of-nothing", .file), scene.evil.item("link-of-nothing", .link),
            scene.evil.item("long-link", .link, content: long), scene.evil.item("nul-link", .link, content: nul),
            scene.evil.item("empty-link", .link, content: scene.evil.link("")),
        ])
        try await scene.expectOrder()
        let problems = try scene.victim.problems
        for name in ["link-of-chunks", "long-link", "nul-link", "empty-link"] {
            #expect(problems.contains { $0.hasPrefix(name) })
        }
        let tree = try scene.victim.tree()
        #expect(tree.isDisjoint(with: ["link-of-chunks", "long-link", "nul-link", "empty-link"]))
    }

    @Test(arguments: [0, 1, 5, 1 << 32, 1 << 62, 1 << 63, UInt64.max])
    func liesAboutSizesAreNamed(size: UInt64) async throws {
        var scene = try await Scene()
        var content = try await scene.evil.content([1, 2, 3])
        content.size = size
        var listed = try await scene.evil.content([4, 5, 6])
        let chunks: [ChunkReference]? = if case .chunks(let all) = listed.body { all } else { nil }
        listed.body = .list(try await scene.evil.chunk(ChunkListCodec.encode(try #require(chunks))))
        listed.size = size
        try await scene.evil.publish([
            scene.evil.item("chunks", content: content), scene.evil.item("list", content: listed),
        ])
        try await scene.expectOrder()
        #expect(try scene.victim.tree() == ["letter.txt", "note"])
        let problems = try scene.victim.problems
        #expect(problems.contains { $0.hasPrefix("chunks: ") } && problems.contains { $0.hasPrefix("list: ") })
        #expect(try scene.victim.engine.parts.files.list(scene.victim.engine.parts.files.open(.incoming)).isEmpty)
    }

    @Test(arguments: [Int64.min, -1, 1 << 40, .max])
    func timesOfFilesThatNoDiskHoldsAreNotFoughtOver(seconds: Int64) async throws {
        var scene = try await Scene()
        let time = FileTime(seconds: seconds, nanoseconds: 999_999_999)
        var item = scene.evil.item("old", content: try await scene.evil.content([1], modified: time))
        item.attributes[.modified] = Register(tag: item.name.tag, value: time.attributeBytes)
        let link = Content.link(target: [0x61], modified: time)
        try await scene.evil.publish([item, scene.evil.item("link", .link, content: link)])
        try await scene.expectOrder()
        #expect(try scene.victim.tree().contains("old"))
    }

    /// SP5, and attributes that the drive does not carry.
    @Test func attributesGiveNoPowers() async throws {
        var scene = try await Scene()
        var item = scene.evil.item("program", content: try await scene.evil.content(Array("#!/bin/sh".utf8)))
        let values: [UInt16: [UInt8]] = [
            1: [0x0F, 0xED], 2: [1, 2, 3], 3: Array("tag".utf8), 4: [0, 0xFF], 6: Array("security.capability".utf8),
            0x1000: Array(repeating: 7, count: 60_000), 0xFFFF: [],
        ]
        for (key, value) in values {
            item.attributes[AttributeKey(rawValue: key)] = Register(tag: item.name.tag, value: value)
        }
        var runnable = scene.evil.item("runnable", content: try await scene.evil.content([1]))
        runnable.attributes[.executable] = Register(tag: runnable.name.tag, value: [1])
        var large = scene.evil.item("large", content: try await scene.evil.content([2]))
        large.attributes[.comment] = Register(tag: large.name.tag, value: Array(repeating: 7, count: 65_536))
        try await scene.evil.publish([item, runnable, large])
        try await scene.expectOrder()
        let modes = try ["program", "runnable"].map {
            try FileManager.default.attributesOfItem(
                atPath: scene.victim.root.appending(path: $0).path)[.posixPermissions] as? Int ?? 0
        }
        #expect(modes[0] & 0o7111 == 0)
        #expect(modes[1] & 0o7000 == 0 && modes[1] & 0o100 != 0)
        let files = scene.victim.engine.parts.files
        let carried = try files.extendedAttributes(of: "program", in: files.open(.root))
        #expect(Set(carried.keys).isSubset(of: [.tags, .comment]))
        #expect(try scene.victim.tree().contains("large") || scene.victim.problems.contains { $0.hasPrefix("large") })
    }

    @Test func manyContentsOfOneFileAndManyFilesOfOneNameAreShownApart() async throws {
        var scene = try await Scene()
        var item = scene.evil.item("many", .link)
        var contents: [Head] = []
        for n in 1...100 {
            let dot = Dot(device: DeviceID(high: UInt64(n), low: 1), n: 1)
            item.context[dot.device] = 1
            contents.append(Head(dot: dot, time: item.name.tag.time, content: scene.evil.link("t\(n)")))
        }
        item.heads = contents
        item.life = contents.map { LifeDot(dot: $0.dot) }
        let same = (0..<100).map { scene.evil.item("same", .link, content: scene.evil.link("u\($0)")) }
        try await scene.evil.publish([item] + same)
        try await scene.expectOrder()
        #expect(try scene.victim.tree().count == 202)
    }
}
