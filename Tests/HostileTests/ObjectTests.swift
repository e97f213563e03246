import CZstd
import DriveCore
import Foundation
import Testing

@testable import DriveTransport

/// TR1, TR2, SE10, SE11: objects that are damaged, cut, empty, gone, too long or somebody else's. Each names what it hits,
/// and everything else goes on.
@Suite struct ObjectTests {
    enum Harm: CaseIterable {
        case flippedFirst, flippedMiddle, flippedLast, empty, cut, gone, huge, folder, link, pipe
    }

    enum Kind: String, CaseIterable {
        case head, log, pack, blob
    }

    /// One device whose file is hit, and one whose file is not.
    @Test(arguments: Kind.allCases, Harm.allCases)
    func damageIsNamedAndEverythingElseGoesOn(kind: Kind, harm: Harm) async throws {
        let world = try World()
        let hit = try world.device("hit")
        // One blob, and a small file for a pack. A longer file of random bytes is cut in two once in a hundred times, and
        // then its end lies in the pack that is hit.
        var random = SystemRandomNumberGenerator()
        let large = (0..<Chunker.minimum).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(large).write(to: hit.root.appending(path: "large"))
        try hit.write("small", "small bytes")
        try await hit.sync()
        let other = try world.device("other")
        try other.write("letter.txt", "hello")
        try await other.sync()
        let own = try hit.id
        // Of its heads the newest.
        let name = try #require(
            try world.names(kind.rawValue).sorted().last { $0.contains("\(own)") || kind == .blob })
        try harm.strike(world.storeFolder.appending(path: name), outside: world.place.appending(path: "outside/secret"))
        let before = try world.outside()

        let victim = try world.device("victim")
        try await victim.sync()
        try await victim.sync()
        #expect(victim.text("letter.txt") == "hello")
        #expect(try world.outside() == before)
        switch kind {
        // What is no file is no head, and a device without one has no journal.
        case .head where [.gone, .folder, .link, .pipe].contains(harm): break
        case .head, .log:
            #expect(try victim.problems.contains { $0.contains("the journal of") })
            #expect(try victim.tree() == ["letter.txt"])
        case .pack:
            #expect(
                try victim.problems.contains { $0.hasPrefix("small: ") } && victim.tree() == ["letter.txt", "large"])
        case .blob:
            #expect(
                try victim.problems.contains { $0.hasPrefix("large: ") } && victim.tree() == ["letter.txt", "small"])
        }
        // Who comes later learns of what the victim saves.
        try victim.write("note", "later")
        try await victim.sync()
        try await other.sync()
        #expect(other.text("note") == "later")
    }

    @Test(arguments: Harm.allCases)
    func aStoreWithADamagedFormatIsNoStore(harm: Harm) async throws {
        let world = try World()
        let device = try world.device("honest")
        try device.write("letter.txt", "hello")
        try await device.sync()
        try harm.strike(
            world.storeFolder.appending(path: "format"), outside: world.place.appending(path: "outside/secret"))
        let found = try await Store.find(in: world.objects)
        #expect(found == nil)
    }

    /// Frames that say what they become, and frames that do not.
    @Test(arguments: [true, false])
    func bombsOfZstdAreRefusedForTheRoomThatTheyClaim(isDeclared: Bool) async throws {
        let world = try World()
        var evil = world.hostile()
        let bomb = try Bomb.frame(of: 1 << 30, isDeclared: isDeclared)
        #expect(bomb.count < 1 << 20)
        let small = try await evil.chunk(Array("x".utf8), stored: bomb, length: 1)
        let large = try await evil.chunk(Array("x".utf8), stored: bomb, length: Chunker.maximum)
        let longest = try await evil.chunk(Array("x".utf8), stored: bomb, length: Int(UInt32.max))
        let list = try await evil.chunk(Array("y".utf8), stored: bomb, length: ChunkListCodec.maximumBytes)
        let bodies: [(FileName, Content.Body, UInt64)] = [
            ("small", .chunks([small]), 1), ("large", .chunks([large]), UInt64(Chunker.maximum)),
            ("longest", .chunks([longest]), UInt64(UInt32.max)), ("list", .list(list), 1 << 30),
        ]
        var records: [ItemState] = []
        for (name, body, size) in bodies {
            let content = Content(hash: small.id, size: size, modified: FileTime(seconds: 1), body: body)
            records.append(evil.item(name, content: content))
        }
        try await evil.publish(records)
        var second = world.hostile()
        try await second.publish(encoded: [1], count: 0, size: 1, frame: bomb)
        var third = world.hostile()
        try await third.publish(encoded: [1], count: 0, size: .max, frame: bomb)
        var fourth = world.hostile()
        try await fourth.publish(encoded: [1], count: 1, size: UInt32(Segment.maximum), frame: bomb)
        let honest = try world.device("honest")
        try honest.write("letter.txt", "hello")
        try await honest.sync()
        let victim = try world.device("victim")
        try await victim.sync()
        #expect(try victim.tree() == ["letter.txt"])
        let problems = try victim.problems
        for (name, _, _) in bodies { #expect(problems.contains { $0.hasPrefix("\(name): ") }) }
        #expect(problems.count { $0.contains("the journal of") } == 3)
    }

    @Test func chunksThatLieElsewhereAreNamed() async throws {
        let world = try World()
        var evil = world.hostile()
        let good = try await evil.chunk(Array("good".utf8))
        var records: [ItemState] = []
        let edits: [(inout ChunkReference) -> Void] = [
            { $0.offset = .max - 4 }, { $0.offset = 1 << 63 }, { $0.offset = 3 }, { $0.storedLength = 5 },
            { $0.storedLength = .max }, { $0.storedLength = 0 }, { $0.object = "pack/none/none" },
            { $0.object = "format" }, { $0.object = "head/x" }, { $0.object = String(repeating: "a", count: 255) },
            { $0.object = "a/\(String(repeating: "b/", count: 250))c" }, { $0.encoding = .zstd },
            { $0.id = .sha256(Array("evil".utf8)) }, { $0.object = "a.b/c-d.9" },
        ]
        for (number, edit) in edits.enumerated() {
            var chunk = good
            edit(&chunk)
            let content = Content(hash: chunk.id, size: 4, modified: FileTime(seconds: 1), body: .chunks([chunk]))
            records.append(evil.item(FileName("bad\(number)"), content: content))
        }
        // Other bytes than the bad ones claim, which would be copied from it.
        let fine = try await evil.chunk(Array("fine".utf8))
        let content = Content(hash: fine.id, size: 4, modified: FileTime(seconds: 1), body: .chunks([fine]))
        try await evil.publish(records + [evil.item("fine", content: content)])
        let victim = try world.device("victim")
        try await victim.sync()
        #expect(victim.text("fine") == "fine")
        #expect(try victim.tree() == ["fine"])
        let problems = try victim.problems
        for number in edits.indices { #expect(problems.contains { $0.hasPrefix("bad\(number): ") }) }
    }

    @Test(arguments: [
        "pack/../../x", String(repeating: "a", count: 256), ".hidden", "a/...b", "/etc/passwd", "a//b", "../format",
        "pack/\u{1B}", "", "Pack/x",
    ])
    func objectNamesThatLeaveTheStoreMakeTheJournalDamaged(key: String) async throws {
        let world = try World()
        let honest = try world.device("honest")
        try honest.write("letter.txt", "hello")
        try await honest.sync()
        var evil = world.hostile()
        var chunk = try await evil.chunk(Array("good".utf8))
        chunk.object = key
        let content = Content(hash: chunk.id, size: 4, modified: FileTime(seconds: 1), body: .chunks([chunk]))
        try await evil.publish([evil.item("x", content: content)])
        let victim = try world.device("victim")
        try await victim.sync()
        #expect(try victim.tree() == ["letter.txt"])
        #expect(try victim.problems.contains { $0.contains("none of ours") })
    }

    @Test func headsThatLieAboutTheirSegmentsAreNamed() async throws {
        let world = try World()
        let honest = try world.device("honest")
        try honest.write("letter.txt", "hello")
        try await honest.sync()
        func lie(_ size: UInt64, _ count: Int, _ high: UInt64) async throws {
            var evil = world.hostile()
            let name = SegmentName(device: evil.id, low: 1, high: high, generation: 1, nonce: 1)
            let reference = SegmentReference(
                low: 1, high: high, key: name.key, size: size, hash: .sha256([]), records: .max)
            try await evil.publish(Array(repeating: reference, count: count), through: high)
        }
        try await lie(.max, 2, .max)
        try await lie(1 << 63, 1, 1)
        try await lie(64 << 20, 65_536, 5)
        try await lie(0, 60_000, 5)
        let victim = try world.device("victim")
        try await victim.sync()
        #expect(try victim.tree() == ["letter.txt"])
        #expect(try victim.problems.count { $0.contains("the journal of") } == 4)
        _ = try await Store.devices(of: world.info, in: world.objects)
    }

    /// What other tools, and people, leave in a folder.
    @Test func debrisInEveryFolderIsPassedOver() async throws {
        let world = try World()
        let honest = try world.device("honest")
        try honest.write("letter.txt", "hello")
        try await honest.sync()
        let manager = FileManager.default
        let secret = world.place.appending(path: "outside/secret")
        let own = try honest.id
        for folder in ["", "head", "log", "log/\(own)", "pack", "pack/\(own)", "blob", "blob/ff", "../..", ".."] {
            let place = world.storeFolder.appending(path: folder)
            try manager.createDirectory(at: place, withIntermediateDirectories: true)
            for name in [
                ".stfolder", "Thumbs.db", "x (conflicted copy)", "\u{1B}[2J", "new\nline", ".docdrive-put-1", "zz",
            ] {
                try Data([1, 2, 3]).write(to: place.appending(path: name))
            }
            try manager.createDirectory(at: place.appending(path: "folder"), withIntermediateDirectories: true)
            try manager.createSymbolicLink(at: place.appending(path: "door"), withDestinationURL: secret)
            try manager.createSymbolicLink(
                at: place.appending(path: "loop"), withDestinationURL: world.place.appending(path: "store"))
            mkfifo(place.appending(path: "pipe").path, 0o644)
        }
        // Names that are nearly right.
        let head = try #require(try world.names("head").first { $0.contains("\(own)") })
        for name in [
            head + ".tmp", head.uppercased(), "head/\(own).ffffffffffffffff.ffffffff-ffffffff",
            "head/ffffffffffffffffffff.ffffffffffffffff.ffffffff-ffffffff", "head/\(own).1.1-1",
        ] { try world.write([], to: name) }
        let before = try world.outside()
        let victim = try world.device("victim")
        try await victim.sync()
        #expect(try victim.tree() == ["letter.txt"])
        try victim.write("note", "later")
        try await victim.sync()
        try await honest.sync()
        #expect(honest.text("note") == "later")
        #expect(try world.outside() == before)
    }

    /// Nothing is written, read or removed by way of a link where the store's own folders should be.
    @Test(arguments: ["head", "log", "pack", "blob"])
    func aFolderOfTheStoreThatIsALinkIsNotFollowed(folder: String) async throws {
        let world = try World()
        let honest = try world.device("honest")
        try honest.write("letter.txt", "hello")
        try await honest.sync()
        let place = world.storeFolder.appending(path: folder)
        let aside = world.place.appending(path: "outside/\(folder)")
        if FileManager.default.fileExists(atPath: place.path) {
            try FileManager.default.moveItem(at: place, to: aside)
        } else {
            try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(at: place, withDestinationURL: aside)
        let before = try world.outside()
        try honest.write("large", String(repeating: "large file ", count: 100_000))
        try honest.write("letter.txt", "hello again")
        for _ in 0..<2 { _ = try? await honest.sync() }
        let victim = try world.device("victim")
        _ = try? await victim.sync()
        #expect(try world.outside() == before)
        #expect(honest.text("letter.txt") == "hello again")
    }
}

extension ObjectTests.Harm {
    func strike(_ place: URL, outside: URL) throws {
        let manager = FileManager.default
        var bytes = try Data(contentsOf: place)
        switch self {
        case .flippedFirst: bytes[0] ^= 1
        case .flippedMiddle: bytes[bytes.count / 2] ^= 0x10
        case .flippedLast: bytes[bytes.count - 1] ^= 0x80
        case .empty: bytes = Data()
        case .cut: bytes = bytes.dropLast(1)
        case .gone, .huge, .folder, .link, .pipe: break
        }
        try manager.removeItem(at: place)
        switch self {
        case .gone: break
        case .folder: try manager.createDirectory(at: place, withIntermediateDirectories: true)
        case .link: try manager.createSymbolicLink(at: place, withDestinationURL: outside)
        case .pipe: mkfifo(place.path, 0o644)
        case .huge:
            // Sparse, and longer than any memory.
            try bytes.write(to: place)
            try #require(truncate(place.path, 1 << 42) == 0)
            try Self.spoilFirstByte(place)
        default: try bytes.write(to: place)
        }
    }

    private static func spoilFirstByte(_ place: URL) throws {
        let handle = try FileHandle(forUpdating: place)
        try handle.write(contentsOf: [0xFF])
        try handle.close()
    }
}

/// Zeros by the gigabyte in a few kilobytes.
enum Bomb {
    static func frame(of size: Int, isDeclared: Bool) throws -> [UInt8] {
        let context = ZSTD_createCCtx()
        defer { ZSTD_freeCCtx(context) }
        if isDeclared { ZSTD_CCtx_setPledgedSrcSize(context, UInt64(size)) }
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        var output = [UInt8](repeating: 0, count: 1 << 20)
        var filled = 0
        for piece in 0..<(size >> 20) {
            let mode = piece == (size >> 20) - 1 ? ZSTD_e_end : ZSTD_e_continue
            try step(context, zeros, &output, &filled, mode)
        }
        return Array(output[..<filled])
    }

    private static func step(
        _ context: OpaquePointer?, _ zeros: [UInt8], _ output: inout [UInt8], _ filled: inout Int,
        _ mode: ZSTD_EndDirective
    ) throws {
        let start = filled
        filled += try zeros.withUnsafeBytes { source in
            try output.withUnsafeMutableBytes { target in
                var from = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
                var to = ZSTD_outBuffer(dst: target.baseAddress! + start, size: target.count - start, pos: 0)
                while true {
                    let left = ZSTD_compressStream2(context, &to, &from, mode)
                    try #require(ZSTD_isError(left) == 0)
                    if mode == ZSTD_e_end ? left == 0 : from.pos == from.size { return to.pos }
                }
            }
        }
    }
}
