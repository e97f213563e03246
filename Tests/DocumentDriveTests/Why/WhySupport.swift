import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A file system of its own; only root may mount one.
final class SmallDisk: Sendable {
    static let mayMount: Bool = {
        guard geteuid() == 0 else { return false }
        let place = NSTemporaryDirectory() + "docdrive-mount-\(UUID().uuidString)"
        mkdir(place, 0o700)
        defer { rmdir(place) }
        guard mount("none", place, "tmpfs", 0, "size=64k") == 0 else { return false }
        umount(place)
        return true
    }()

    private let place: String

    init(at place: String, size: String) throws {
        self.place = place
        mkdir(place, 0o700)
        try #require(mount("none", place, "tmpfs", 0, "size=\(size)") == 0)
    }

    func unmount() { umount2(place, Int32(MNT_DETACH)) }
}

/// Appends to a file without a pause.
final class Writer: Sendable {
    private let isStopped = Mutex(false)

    /// In the place of what is there, until it has been done for the last time: what is only added would be taken as far as it was.
    func write(to path: String) async {
        await OwnThread.run { [self] in
            let file = open(path, O_WRONLY | O_CLOEXEC)
            var number: UInt64 = 0
            while !isStopped.withLock({ $0 }) {
                number += 1
                pwrite(file, &number, 8, off_t(number % 64) << 8)
                usleep(200)
            }
            close(file)
        }
    }

    func stop() { isStopped.withLock { $0 = true } }
}

enum SilentWrite {
    /// Through a map, so that the file's dates do not tell.
    static func flipBit(of path: String) throws {
        let file = open(path, O_RDWR | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        let bytes = try #require(mmap(nil, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
        try #require(bytes != MAP_FAILED)
        bytes.assumingMemoryBound(to: UInt8.self)[0] ^= 1
        munmap(bytes, 1)
    }
}
