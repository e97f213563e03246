import DriveCore
import Foundation
import Glibc
import Synchronization
import Testing

@testable import DriveFiles

/// A program that writes a file through a mapping, as databases do. From any thread: it stores single bytes.
private final class MappedWriter: @unchecked Sendable {
    private let bytes: UnsafeMutablePointer<UInt8>
    private let length: Int

    init(_ path: String, length: Int) throws {
        let number = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        let file = Descriptor(try #require(number >= 0 ? number : nil))
        try #require(ftruncate(file.number, length) == 0)
        let mapping = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
        bytes = try #require(mapping != MAP_FAILED ? mapping : nil).assumingMemoryBound(to: UInt8.self)
        self.length = length
    }

    func store(_ byte: UInt8, at place: Int = 5) { bytes[place] = byte }
    func sync() { msync(bytes, length, MS_SYNC) }

    deinit { munmap(bytes, length) }
}

struct MappedWriterTests {
    /// Whatever comes between a look at the dates and the reading.
    @Test func whatIsStoredAllTheWhileShows() throws {
        let drive = try ScratchDrive()
        let writer = try MappedWriter(drive.scratch("a"), length: Self.length)
        let isOver = Atomic(false)
        let stores = Atomic(0)
        writer.store(0)
        let thread = Thread {
            var number = 0
            while !isOver.load(ordering: .relaxed) {
                number += 1
                writer.store(UInt8(truncatingIfNeeded: number))
                stores.store(number, ordering: .relaxed)
                // What is stored without a pause has no date that it could be read at; nothing waits for this time.
                usleep(300)
            }
            stores.store(-1, ordering: .relaxed)
        }
        thread.start()
        var missed = 0
        for _ in 0..<40 {
            let reader = try #require(try drive.store.read("a", in: drive.root))
            var bytes = [UInt8](repeating: 0, count: Self.length)
            _ = try bytes.withUnsafeMutableBytes { try reader.read(into: $0) }
            // A store that comes after the reading shows, or the file was said to change all the while.
            let known = stores.load(ordering: .relaxed)
            while stores.load(ordering: .relaxed) < known + 2 { usleep(100) }
            if try reader.isUnchanged() { missed += 1 }
        }
        isOver.store(true, ordering: .relaxed)
        while stores.load(ordering: .relaxed) >= 0 { usleep(100) }
        // Nobody stores any more, so that a reading soon has all of it.
        var reader = try #require(try drive.store.read("a", in: drive.root))
        for _ in 0..<100 where try !reader.isUnchanged() {
            reader = try #require(try drive.store.read("a", in: drive.root))
        }
        let (before, isRead) = (missed, try reader.isUnchanged())
        #expect(isRead)
        writer.store(7)
        if try reader.isUnchanged() { try Test.cancel("this file system dates no mapped writes") }
        #expect(before == 0)
    }

    private static let length = 64 << 10

    @Test func whatIsStoredAgainAfterAFileWasReadShows() throws {
        let drive = try ScratchDrive()
        let writer = try MappedWriter(drive.scratch("a"), length: Self.length)
        writer.store(1)
        writer.sync()
        let before = try #require(try drive.store.look(at: "a", in: drive.root))
        _ = Tick.wait(for: before.changed)
        writer.store(2)
        guard try drive.store.look(at: "a", in: drive.root)?.changed != before.changed else {
            try Test.cancel("this file system dates no mapped writes")
        }
        // The page is dirty, and nothing would tell of the next store.
        let reader = try #require(try drive.store.read("a", in: drive.root))
        var bytes = [UInt8](repeating: 0, count: Self.length)
        let count = try bytes.withUnsafeMutableBytes { try reader.read(into: $0) }
        #expect(count == Self.length && bytes[5] == 2)
        #expect(try reader.isUnchanged())
        writer.store(3)
        #expect(try !reader.isUnchanged())
    }
}
