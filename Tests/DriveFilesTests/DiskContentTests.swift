import CLinux
import DriveCore
import DriveTesting
import Glibc
import Testing

@testable import DriveFiles

struct DiskContentTests {
    private func readAll(_ reader: any FileReader, by size: Int = 262_144) throws -> [UInt8] {
        var result: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = try reader.read(into: buffer), count > 0 { result += buffer[..<count] }
        return result
    }

    @Test(arguments: scratchPlaces)
    func whatIsStagedIsReadBack(place: String) throws {
        let drive = try ScratchDrive(in: place)
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let writer = try drive.store.stageFile("big", size: 5_000_000)
        for start in stride(from: 0, to: bytes.count, by: 700_000) {
            try bytes[start..<min(bytes.count, start + 700_000)].withUnsafeBytes { try writer.write($0) }
        }
        let facts = try writer.finish(Attributes())
        #expect(facts.size == 3_000_000)
        // Reserved room is given back.
        #expect(try drive.scratch.status(".docdrive/staging/in/big").st_blocks * 512 < 4_000_000)
        let incoming = try drive.store.open(.incoming)
        #expect(try drive.store.look(at: "big", in: incoming) == facts)
        let whole = try #require(try drive.store.read("big", in: incoming))
        #expect(try readAll(whole) == bytes)
        let pieces = try #require(try drive.store.read("big", in: incoming))
        #expect(try readAll(pieces, by: 1_001) == bytes)
        #expect(try whole.isUnchanged())
    }

    /// What a program wrote into a pipe is for its reader.
    @Test func ofAPipeWhereAFileWasSeenNothingIsTaken() throws {
        let drive = try ScratchDrive()
        #expect(mkfifo(drive.scratch("f"), 0o600) == 0)
        let pipe = Descriptor(Glibc.open(drive.scratch("f"), O_RDWR | O_NONBLOCK | O_CLOEXEC))
        try pipe.write([1, 2, 3])
        var seen = try #require(try drive.store.look(at: "f", in: drive.root))
        (seen.kind, seen.size, seen.changed) = (.file, 3, FileTime(seconds: 1))
        let reader = try #require(try drive.store.read("f", in: drive.root, as: seen))
        #expect(throws: DriveError.self) { try readAll(reader) }
        var bytes = [UInt8](repeating: 0, count: 4)
        #expect(dd_read(pipe.number, &bytes, 4) == 3 && bytes == [1, 2, 3, 0])
    }

    @Test func fingerprintIsXXH3() throws {
        let drive = try ScratchDrive()
        // XXH3_128bits of nothing and of "a", from `xxhsum -H2`.
        #expect(
            drive.store.fingerprint(of: UnsafeRawBufferPointer(start: nil, count: 0))
                == Fingerprint(high: 0x99aa_06d3_0147_98d8, low: 0x6001_c324_468d_497f))
        let one = [UInt8(0x61)].withUnsafeBytes { drive.store.fingerprint(of: $0) }
        #expect(one == Fingerprint(high: 0xa96f_af70_5af1_6834, low: 0xe6c6_32b6_1e96_4e1f))
    }

    /// Short contents, those of one block, and longer ones go different ways in XXH3.
    @Test(arguments: [0, 1, 16, 17, 128, 240, 241, 1_024, 262_144, 700_001])
    func contentsHaveFingerprintsOfTheirKey(size: Int) throws {
        let drive = try ScratchDrive()
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let writer = try drive.store.stageFile("f", size: UInt64(size))
        try bytes.withUnsafeBytes { try writer.write($0) }
        _ = try writer.finish(Attributes())
        func hash(_ key: ContentKey?, piece: Int) throws -> ContentHash {
            let store = try DiskFileStore.open(at: drive.scratch.path, replica: drive.store.replica, contentKey: key)
            let reader = try #require(try store.read("f", in: try store.open(.incoming)))
            var digest = reader.contentDigest()
            let all = try readAll(reader)
            for start in stride(from: 0, to: all.count, by: piece) {
                all[start..<min(all.count, start + piece)].withUnsafeBytes { digest.update($0) }
            }
            let (hash, length) = digest.finish()
            #expect(length == UInt64(size))
            #expect(store.contentHash(ofLinkTarget: bytes) == hash)
            return hash
        }
        let (one, other) = (ContentKey(SeededEntropy(seed: 1)), ContentKey(SeededEntropy(seed: 2)))
        let first = try hash(one, piece: 1 << 20)
        #expect(first.isFingerprint)
        #expect(try hash(one, piece: 100) == first)
        #expect(try hash(other, piece: 1 << 20) != first)
        #expect(try hash(nil, piece: 1 << 20) == ContentHasher.hash(of: bytes))
        #expect(ContentKey(bytes: one.bytes) == one && ContentKey(bytes: Array(one.bytes.dropLast())) == nil)
    }

    /// Two contents of one XXH3-128, for everybody who knows its default key: each has one of its first words in the place of
    /// a word that is multiplied, so that the product is zero, and their sums are equal.
    @Test func twinsOfXXH3AreToldApart() throws {
        let words: (UInt64, UInt64) = (0xbe4b_a423_396c_feb8, 0x1cad_21f7_2c81_017c)
        let rest: [UInt64] = [3, 4]
        let chance: UInt64 = 0x0123_4567_89ab_cdef
        let twins = [[words.0, chance] + rest, [words.0 &+ chance &- words.1, words.1] + rest].map { words in
            words.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
        }
        let drive = try ScratchDrive()
        let plain = twins.map { twin in twin.withUnsafeBytes { drive.store.fingerprint(of: $0) } }
        #expect(twins[0] != twins[1] && plain[0] == plain[1])
        let key = ContentKey(SeededEntropy(seed: 7))
        let keyed = try DiskFileStore.open(at: drive.scratch.path, replica: drive.store.replica, contentKey: key)
        #expect(keyed.contentHash(ofLinkTarget: twins[0]) != keyed.contentHash(ofLinkTarget: twins[1]))
    }

    @Test func editsWhileReadingAreNoticed() throws {
        let drive = try ScratchDrive()
        try drive.scratch.write("a", "12345")
        let reader = try #require(try drive.store.read("a", in: drive.root))
        #expect(try reader.isUnchanged())
        try drive.scratch.write("a", "123456789")
        #expect(try readAll(reader) == Array("123456789".utf8))
        #expect(try !reader.isUnchanged())
        #expect(try drive.store.read("missing", in: drive.root) == nil)
        mkdir(drive.scratch("d"), 0o755)
        #expect(try drive.store.read("d", in: drive.root) == nil)
    }

    @Test func stagingNeverReplaces() throws {
        let drive = try ScratchDrive()
        _ = try drive.stage("x", "1")
        #expect(throws: DriveError.self) { try drive.store.stageFile("x", size: 0) }
        #expect(throws: DriveError.self) { try drive.store.stageFolder("x") }
        #expect(throws: DriveError.self) { try drive.store.stageLink("x", target: [0x61], modified: nil) }
        #expect(drive.scratch.read(".docdrive/staging/in/x") == "1")
    }

    @Test func linksAndFoldersAreStaged() throws {
        let drive = try ScratchDrive()
        let target: [UInt8] = [0x2E, 0x2E, 0x2F, 0xFF]
        let time = FileTime(seconds: -3, nanoseconds: 7)
        let link = try drive.store.stageLink("l", target: target, modified: time)
        #expect(link.kind == .link && link.modified == time)
        let incoming = try drive.store.open(.incoming)
        #expect(try drive.store.readLink("l", in: incoming) == target)
        #expect(try drive.store.stageFolder("d").kind == .folder)
        #expect(kind { _ = try drive.store.stageLink("m", target: [0x61, 0], modified: nil) } == .usage)
        #expect(kind { _ = try drive.store.stageLink("m", target: [], modified: nil) } == .usage)
    }

    @Test func whatACrashLeavesIsListedOnlyInItsArea() throws {
        let drive = try ScratchDrive()
        _ = try drive.store.stageFile("half", size: 10)
        let again = try DiskFileStore.open(at: drive.scratch.path, replica: "replica-1")
        #expect(try again.list(again.open(.root)) == [])
        #expect(try again.list(again.open(.incoming)).map(\.name) == ["half"])
    }
}
