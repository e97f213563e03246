import CLinux
import DriveCore
import Glibc
import WatchProtocol

/// One run of the watcher program and the channel to it. Owned by the supervisor's thread.
struct WatchProcess {
    let pid: pid_t
    /// A socket rather than two pipes: a write to a dead process can be kept from raising SIGPIPE in the drive.
    let channel: Int32

    enum End: Equatable {
        case exited(Int32)
        case signalled(Int32)
        /// Somebody else collected the status, or SIGCHLD is ignored.
        case unknown
    }

    static func start(program: String, arguments: [[UInt8]]) throws -> WatchProcess {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw DriveError(.exhausted, "no channel to the watcher can be made (error \(errno)): close other programs")
        }
        defer { close(ends[1]) }
        var pid: pid_t = 0
        let error = withArgumentVector([Array(program.utf8)] + arguments) { vector in
            dd_watch_spawn(program, vector, ends[1], &pid)
        }
        guard error == 0 else {
            close(ends[0])
            let reason = String(cString: strerror(error))
            throw DriveError(
                error == ENOENT ? .notFound : error == EACCES ? .permissionDenied : .exhausted,
                "the watcher program cannot be started (\(reason)): install it again or set \(WatchProgram.variable)",
                path: program)
        }
        return WatchProcess(pid: pid, channel: ends[0])
    }

    /// The next bytes, or nil at the end.
    func read(into buffer: inout [UInt8]) -> ArraySlice<UInt8>? {
        while true {
            let count = Glibc.read(channel, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? buffer[..<count] : nil
        }
    }

    /// Closes nothing; ends the process, by force if it does not go by itself, and collects it.
    func end(grace milliseconds: Int32) -> End {
        shutdown(channel, Int32(SHUT_RDWR))
        let handle = dd_watch_pidfd_open(pid)
        var poller = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        if handle < 0 || poll(&poller, 1, milliseconds) <= 0 { kill(pid, SIGKILL) }
        if handle >= 0 { close(handle) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            guard errno == EINTR else { return .unknown }
        }
        // wait(2): the low seven bits are the signal, the next byte is the exit status.
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    }

    private static func withArgumentVector<Result>(
        _ arguments: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var vector: [UnsafeMutablePointer<CChar>?] = arguments.map { argument in
            strdup(argument.map(CChar.init(bitPattern:)) + [0])
        }
        vector.append(nil)
        defer { for argument in vector { free(argument) } }
        return body(vector)
    }
}
