// SPDX-License-Identifier: GPL-2.0-only

import CLinux
import Glibc
import WatchProtocol

/// The thread that serves standard input. The library's thread may be busy or asleep for long, so this one also ends
/// the process when the drive is gone.
enum Commands {
    static func run(_ outbox: Outbox, cookies: Cookies) -> Never {
        var decoder = FrameDecoder<WatchCommand>()
        let parent = Parent()
        while let bytes = parent.read() {
            decoder.append(bytes)
            do {
                while let command = try decoder.next() { obey(command, outbox, cookies) }
            } catch {
                break
            }
        }
        stop(cookies)
    }

    private static func obey(_ command: WatchCommand, _ outbox: Outbox, _ cookies: Cookies) {
        switch command {
        case .barrier(let token):
            if !cookies.request(token) { outbox.send(.barrier(token: token, isSure: false)) }
        case .stop: stop(cookies)
        }
    }

    private static func stop(_ cookies: Cookies) -> Never {
        _ = cookies.takeAll()
        _exit(WatchExit.stopped)
    }
}

/// The drive's process. Its end shows on standard input, and also directly, should a child of the drive have inherited
/// the other end.
private struct Parent {
    private let process: Int32

    init() {
        let parent = getppid()
        process = parent > 1 ? dd_watch_pidfd_open(parent) : -1
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
