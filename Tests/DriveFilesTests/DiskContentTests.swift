import DriveCore
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
        #expect(whole.fingerprint == pieces.fingerprint)
        #expect(try whole.isUnchanged())
    }

    @Test func fingerprintIsXXH3() throws {
        let drive = try ScratchDrive()
        try drive.scratch.write("empty", "")
        try drive.scratch.write("a", "a")
        let empty = try #require(try drive.store.read("empty", in: drive.root))
        #expect(try readAll(empty) == [])
        // XXH3_128bits of nothing and of "a", from `xxhsum -H2`.
        #expect(empty.fingerprint == Fingerprint(high: 0x99aa_06d3_0147_98d8, low: 0x6001_c324_468d_497f))
        let one = try #require(try drive.store.read("a", in: drive.root))
        #expect(try readAll(one) == [0x61])
        #expect(one.fingerprint == Fingerprint(high: 0xa96f_af70_5af1_6834, low: 0xe6c6_32b6_1e96_4e1f))
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
