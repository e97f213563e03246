// SPDX-License-Identifier: GPL-2.0-only

import Glibc

/// Wakes the writer. A pipe, since Swift has no condition variable without Foundation.
struct Bell: Sendable {
    enum Urgency: UInt8 { case soon = 1, now = 2 }

    private let readEnd: Int32
    private let writeEnd: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Never wait for the writer: a full pipe has woken it already.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    func ring(_ urgency: Urgency) {
        var byte = urgency.rawValue
        _ = Glibc.write(writeEnd, &byte, 1)
    }

    /// Waits for a ring, then for `milliseconds` more so that a batch can gather; not if it is urgent.
    func wait(gathering milliseconds: Int32) {
        guard !hear() else { return }
        var poller = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        if poll(&poller, 1, milliseconds) > 0 { _ = hear() }
    }

    /// Whether anything urgent was among what was heard.
    private func hear() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(readEnd, &bytes, bytes.count)
        return count > 0 && bytes[..<count].contains(Urgency.now.rawValue)
    }
}

/// The thread that writes batches to standard output.
enum Writer {
    /// Long enough to merge the create, chmod and close of one save, short against the settle time of 50 ms.
    static let gatheringMilliseconds: Int32 = 1

    static func run(_ outbox: Outbox, bell: Bell) -> Never {
        while true {
            bell.wait(gathering: gatheringMilliseconds)
            let bytes = outbox.take()
            guard writeAll(bytes) else { _exit(0) }
            outbox.wrote()
        }
    }

    /// False if nobody reads any more.
    private static func writeAll(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(1, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
