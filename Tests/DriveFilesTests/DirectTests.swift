import CLinux
import DriveCore
import Glibc
import Testing

@testable import DriveFiles

/// Reads and writes past the page cache.
struct DirectTests {
    private static let block = AlignedBlock.size

    private func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    }

    private func file(_ scratch: Scratch, _ flags: Int32) throws -> Descriptor {
        let number = Glibc.open(scratch("a"), flags | O_CLOEXEC, 0o600)
        return Descriptor(try #require(number >= 0 ? number : nil))
    }

    private func write(_ bytes: [UInt8], in scratch: Scratch, by size: Int) throws {
        var writer = DirectWriter(try file(scratch, O_WRONLY | O_CREAT | O_TRUNC))
        for start in stride(from: 0, to: bytes.count, by: size) {
            try bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { try writer.write($0) }
        }
        try writer.finish()
    }

    private func read(_ range: Range<Int>, in scratch: Scratch) throws -> [UInt8] {
        let file = try file(scratch, O_RDONLY)
        var result = [UInt8](repeating: 0xEE, count: range.count)
        let count = try result.withUnsafeMutableBytes {
            try file.read(at: UInt64(range.lowerBound), into: $0, path: "a")
        }
        return Array(result[..<count])
    }

    /// Whether the file system does what O_DIRECT asks.
    private func canPassMemoryBy(_ scratch: Scratch) throws -> Bool {
        let number = Glibc.open(scratch("trial"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let file = Descriptor(try #require(number >= 0 ? number : nil))
        guard dd_set_direct(number, true) == 0 else { return false }
        let block = AlignedBlock()
        block.bytes.initializeMemory(as: UInt8.self, repeating: 1)
        return dd_write(number, block.bytes.baseAddress, Self.block) == Self.block
            && !dd_is_mostly_cached(file.number, 0, Self.block)
    }

    @Test(arguments: scratchPlaces)
    func whateverItsSizeAFileComesBack(place: String) throws {
        let scratch = try Scratch(in: place)
        let all = bytes(2 * Self.block + 4_097)
        for size in [0, 1, 4_095, 4_096, 4_097, Self.block - 1, Self.block, Self.block + 1, all.count] {
            try write(Array(all[..<size]), in: scratch, by: 300_001)
            #expect(try read(0..<size + 10, in: scratch) == Array(all[..<size]))
        }
        try write(all, in: scratch, by: all.count)
        for range in [1..<Self.block, 4_096..<2 * Self.block, 4_095..<all.count, all.count - 300_000..<all.count + 5] {
            #expect(try read(range, in: scratch) == Array(all[range.clamped(to: 0..<all.count)]))
        }
    }

    @Test func whatIsLargeStaysOutOfMemory() async throws {
        let scratch = try Scratch()
        guard try canPassMemoryBy(scratch) else { try Test.cancel("what is written with O_DIRECT is in memory here") }
        let all = bytes(3 * Self.block)
        let store = FolderObjectStore(at: scratch.path)
        try await store.put("a", all)
        let file = try file(scratch, O_RDONLY)
        #expect(!dd_is_mostly_cached(file.number, 0, all.count))
        #expect(try await store.get("a", range: nil) == all)
        #expect(!dd_is_mostly_cached(file.number, 0, all.count))
        // What is there anyhow is taken from there.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: all.count, alignment: 1)
        defer { buffer.deallocate() }
        #expect(dd_read_at(file.number, buffer.baseAddress, buffer.count, 0) == all.count)
        #expect(dd_is_mostly_cached(file.number, 0, all.count))
        #expect(try await store.get("a", range: 5..<400_000) == Array(all[5..<400_000]))
    }

    @Test func aLargeStagedFileIsWhole() throws {
        let drive = try ScratchDrive()
        let size = 64 << 20
        let writer = try drive.store.stageFile("big", size: UInt64(size))
        let piece = bytes(700_001)
        for start in stride(from: 0, to: size, by: piece.count) {
            try piece[..<min(piece.count, size - start)].withUnsafeBytes { try writer.write($0) }
        }
        let facts = try writer.finish(Attributes(modified: FileTime(seconds: 1_000)))
        #expect(facts.size == UInt64(size) && facts.modified == FileTime(seconds: 1_000))
        let reader = try #require(try drive.store.read("big", in: drive.store.open(.incoming)))
        var read = [UInt8](repeating: 0, count: piece.count)
        var place = 0
        while case let count = try read.withUnsafeMutableBytes({ try reader.read(into: $0) }), count > 0 {
            #expect(read[..<count] == piece[..<count])
            place += count
        }
        #expect(place == size)
    }
}
