import CLinux
import Foundation
import Glibc
import TestSupport

/// Quick and plain disk operations for loads; each fails silently, as a busy user's would.
enum DiskWork {
    static func folder(_ path: String) { mkdir(path, 0o755) }

    static func folders(_ base: String, _ names: [String]) {
        var path = base
        for name in names {
            path += "/" + name
            folder(path)
        }
    }

    static func file(_ path: String, _ text: String = "x") {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { return }
        _ = write(file, text, text.utf8.count)
        close(file)
    }

    static func move(_ from: String, _ to: String) { rename(from, to) }

    /// False where it cannot be done.
    static func exchange(_ one: String, _ other: String, in folder: String) -> Bool {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        let (a, b) = (Array(one.utf8), Array(other.utf8))
        return dd_exchange(descriptor, a, a.count, descriptor, b, b.count) == 0
    }

    /// Returns when nobody has a file beneath the folder open for writing, so that all has been told to who watches it.
    ///
    /// A process that another test starts holds whatever is open here from its fork to its exec, and the kernel tells of
    /// a file as closed when the last who holds it lets go.
    static func waitForWriters(beneath root: String) {
        for (path, _, look) in DriveModel.walk(root) where !look.isFolder {
            let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { continue }
            while dd_is_open_for_writing(file) == 1 { usleep(200) }
            close(file)
        }
    }

    static func removeTree(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    /// Runs blocking work on a thread of its own, so that the consumer of the events keeps running.
    static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await OwnThread.run(body)
    }
}
