import Foundation
import Glibc

/// What a person types comes out of one end, and what a program shows there out of the other, as long as it lives.
final class Terminal: Sendable {
    let program: Int32
    let person: Int32

    /// As wide as that, where it is said.
    init(columns: UInt16? = nil) throws {
        program = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        // As unlockpt(3) and ptsname(3) do, which Swift does not see (TIOCSPTLCK and TIOCGPTN).
        var (isLocked, number): (Int32, Int32) = (0, 0)
        guard ioctl(program, 0x4004_5431, &isLocked) == 0, ioctl(program, 0x8004_5430, &number) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        person = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard let columns else { return }
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(person, UInt(TIOCSWINSZ), &size) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// What was shown and not read yet.
    func read() -> String {
        var (text, bytes) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        while true {
            let count = Glibc.read(program, &bytes, bytes.count)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += bytes[..<count]
        }
    }

    /// Whether what is typed is shown.
    var echoes: Bool {
        var state = termios()
        return tcgetattr(person, &state) == 0 && state.c_lflag & tcflag_t(ECHO) != 0
    }

    deinit {
        close(person)
        close(program)
    }
}
