// SPDX-License-Identifier: GPL-2.0-only

import CLinux
import Glibc

/// The drive's process. Its end shows on standard input, and also directly, should a child of the drive have inherited
/// the other end.
struct Parent {
    private let process: Int32

    /// Nil if it has just ended. To be made before anything is reported: a drive that ends once it has heard of this process
    /// is held by then.
    init?() {
        let parent = getppid()
        process = dd_watch_pidfd_open(parent)
        // Whose parent ended before it was held has another by now, and what is held may be a stranger.
        guard getppid() == parent else { return nil }
    }

    /// The next bytes, or nil when there will be none.
    func read() -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            // poll(2) ignores a negative descriptor.
            var pollers = [
                pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
                pollfd(fd: process, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&pollers, 2, -1) > 0 || errno == EINTR else { return nil }
            if pollers[1].revents != 0 { return nil }
            guard pollers[0].revents != 0 else { continue }
            let count = Glibc.read(0, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            return count > 0 ? bytes[..<count] : nil
        }
    }
}
