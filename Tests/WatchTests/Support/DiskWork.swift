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

    static func removeTree(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    /// Runs blocking work on a thread of its own, so that the consumer of the events keeps running.
    static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await OwnThread.run(body)
    }
}
