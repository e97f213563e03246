// SPDX-License-Identifier: GPL-2.0-only

import Glibc
import Synchronization
import WatchProtocol

/// Barriers by cookie files: a file is made in a watched folder, and when its event comes out of the queue, everything
/// that happened before has come out too. It also wakes the library's thread, which nothing else can.
final class Cookies: Sendable {
    private let folder: Int32
    private let outstanding = Mutex<Set<UInt64>>([])
    private static let prefix = Array("barrier-".utf8)

    init(folder: Int32) { self.folder = folder }

    /// Called by the command thread. False if no cookie could be made.
    func request(_ token: UInt64) -> Bool {
        // Remembered first: after an overflow every remembered barrier is answered, cookie or not.
        outstanding.withLock { _ = $0.insert(token) }
        let file = openat(folder, Self.name(token), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file < 0 else {
            close(file)
            return true
        }
        return outstanding.withLock { $0.remove(token) } == nil
    }

    /// Called with the name from an event; the token, if it is still waited for.
    func found(_ name: [UInt8]) -> UInt64? {
        guard let token = Self.token(name) else { return nil }
        unlinkat(folder, Self.name(token), 0)
        return outstanding.withLock { $0.remove(token) }
    }

    /// All that are waited for, after events were lost.
    func takeAll() -> Set<UInt64> {
        let tokens = outstanding.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
        for token in tokens { unlinkat(folder, Self.name(token), 0) }
        return tokens
    }

    /// Removes what a killed watcher left.
    func sweep() {
        var names: [[UInt8]] = []
        _ = Disk.list(folder) { name, _ in names.append(name) }
        for name in names where Self.token(name) != nil { _ = found(name) }
    }

    private static func name(_ token: UInt64) -> String { "barrier-" + String(token, radix: 16) }

    private static func token(_ name: [UInt8]) -> UInt64? {
        guard name.starts(with: prefix) else { return nil }
        return UInt64(String(decoding: name.dropFirst(prefix.count), as: UTF8.self), radix: 16)
    }
}
