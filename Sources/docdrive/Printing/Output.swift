import Glibc
import Synchronization

/// Writes to the terminal or the pipe; lines of several threads never mix.
enum Output {
    private static let pending = Mutex<[UInt8]>([])

    static let isTerminal = isatty(STDOUT_FILENO) == 1
    static let isErrorTerminal = isatty(STDERR_FILENO) == 1
    static let isInputTerminal = isatty(STDIN_FILENO) == 1

    static func line(_ text: String) { bytes(Array((text + "\n").utf8)) }

    static func bytes(_ bytes: [UInt8]) {
        pending.withLock { pending in
            pending += bytes
            if pending.count > 65_536 || isTerminal { write(&pending, to: STDOUT_FILENO) }
        }
    }

    static func flush() { pending.withLock { write(&$0, to: STDOUT_FILENO) } }

    static func error(_ text: String) {
        ProgressLine.clear()
        var bytes = Array((text + "\n").utf8)
        write(&bytes, to: STDERR_FILENO)
    }

    /// Without an end of line, for progress and questions.
    static func errorText(_ text: String) {
        var bytes = Array(text.utf8)
        write(&bytes, to: STDERR_FILENO)
    }

    private static func write(_ bytes: inout [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            rest = rest.dropFirst(count)
        }
        bytes = []
    }
}
