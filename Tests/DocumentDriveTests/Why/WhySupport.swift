import Foundation
import Glibc
import Synchronization
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

/// Appends to a file without a pause until it is stopped.
final class Writer: Sendable {
    private let isStopped = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    init(_ path: String) {
        let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        Thread.detachNewThread { [self] in
            while !isStopped.withLock({ $0 }) {
                write(file, "x", 1)
                usleep(200)
            }
            close(file)
            ended.signal()
        }
    }

    func stop() {
        isStopped.withLock { $0 = true }
        ended.wait()
    }
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
