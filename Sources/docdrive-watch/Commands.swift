// SPDX-License-Identifier: GPL-2.0-only

import Glibc
import WatchProtocol

/// The thread that serves standard input. The library's thread may be busy or asleep for long, so this one also ends
/// the process when the drive is gone.
enum Commands {
    static func run(_ outbox: Outbox, cookies: Cookies, parent: Parent) -> Never {
        var decoder = FrameDecoder<WatchCommand>()
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
