import DriveCore
import Glibc
import Synchronization

/// Writes to the terminal or the pipe; lines of several threads never mix.
enum Output {
    private struct State {
        var pending: [UInt8] = []
        /// Of the first write that failed.
        var failure: Int32?
        /// Told of it.
        var whenLost: (@Sendable () -> Void)?
    }

    private static let state = Mutex(State())

    static let isTerminal = isatty(STDOUT_FILENO) == 1
    static let isErrorTerminal = isatty(STDERR_FILENO) == 1
    static let isInputTerminal = isatty(STDIN_FILENO) == 1

    /// Of the terminal that errors are shown on, as wide as it is now; what none says is wide enough.
    static var errorColumns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return .max }
        return Int(size.ws_col)
    }

    /// Before the first file is opened, which would else be given the number of a standard one that is closed, and then what is
    /// printed.
    static func holdStandardFiles() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
    }

    static func line(_ text: String) { bytes(Array((text + "\n").utf8)) }

    /// A line of a list with a name in it (`Escaped.listed`).
    static func line(_ start: String, listing name: [UInt8], _ end: String = "") {
        bytes(Array(start.utf8) + Escaped.listed(name) + Array((end + "\n").utf8))
    }

    static func bytes(_ bytes: [UInt8]) {
        let told = state.withLock { state in
            state.pending += bytes
            return state.pending.count > 65_536 || isTerminal ? writePending(&state) : nil
        }
        told?()
    }

    static func flush() { state.withLock { writePending(&$0) }?() }

    /// Called once, as soon as something that was printed could not be written.
    static func whenLost(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.whenLost = action } }

    /// Something that was printed could not be written.
    static var isLost: Bool { state.withLock { $0.failure } != nil }

    /// What is printed goes through a pipe whose reader is gone.
    static var isPipeClosed: Bool {
        var facts = stat()
        return state.withLock { $0.failure } == EPIPE && fstat(STDOUT_FILENO, &facts) == 0
            && facts.st_mode & S_IFMT == S_IFIFO
    }

    /// Why not all arrived that was printed, where it did not. A reader that went away has had enough, and is no reason.
    static var failure: DriveError? {
        guard let code = state.withLock({ $0.failure }), code != EPIPE else { return nil }
        let isFull = code == ENOSPC || code == EDQUOT
        return DriveError(
            isFull ? .noSpace : .inputOutput,
            "cannot write to standard output: \(isFull ? "the disk is full" : String(cString: strerror(code))); "
                + "what was printed is not complete")
    }

    /// What it advises works where it is read (`Advice`).
    static func error(_ text: String) {
        ProgressLine.clear()
        errorText(Advice.text(text) + "\n")
    }

    /// Without an end of line, for progress and questions.
    static func errorText(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// Returns who is to be told that it failed.
    private static func writePending(_ state: inout State) -> (@Sendable () -> Void)? {
        let code = write(state.pending, to: STDOUT_FILENO)
        state.pending = []
        guard code != nil, state.failure == nil else { return nil }
        state.failure = code
        return state.whenLost
    }

    /// Nil, or the number of the error.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Who gave it to this process has it not wait; what is printed can.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}
