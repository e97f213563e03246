import CLinux
import DriveImporting
import Glibc

/// Runs a program over an open file and keeps what it prints.
struct ProgramRun {
    private enum End { case all, cut, late }

    private(set) var output: [UInt8] = []
    /// Its exit status; nil if it was stopped, because it printed more than was wanted, or if a signal ended it.
    private(set) var status: Int32?
    private(set) var isCut = false

    /// The program reads the file as /dev/stdin, so that no name of a person reaches its command line. It and all that it
    /// started are ended when the time is over or enough is printed.
    init(
        _ program: String, _ arguments: [String], over file: ImportFile, outputBytes: Int, limits: ImportLimits
    ) throws(ImportFailure) {
        let name = program.split(separator: "/").last.map(String.init) ?? program
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.cannotStart(name, errno) }
        defer { close(ends[0]) }
        lseek(file.descriptor, 0, SEEK_SET)
        var pid: pid_t = 0
        let error = withArgumentVector([program] + arguments) { vector in
            dd_import_start(program, vector, file.descriptor, ends[1], UInt32(limits.processorSeconds), &pid)
        }
        close(ends[1])
        guard error == 0 else { throw Self.cannotStart(name, error) }

        let deadline = Deadline(seconds: Double(limits.programSeconds))
        var end = collect(from: ends[0], atMost: outputBytes, until: deadline)
        if end == .all, !Self.hasEnded(pid, by: deadline) { end = .late }
        // The whole group, also where the program ended and left others.
        kill(-pid, SIGKILL)
        var code: Int32 = 0
        var peak: UInt64 = 0
        let waited = dd_import_wait(pid, &code, &peak)
        if end == .late {
            throw ImportFailure(.interrupted, "\(name) did not finish within \(limits.programSeconds) seconds")
        }
        isCut = end == .cut
        if !isCut, waited >= 0, code & 0x7F == 0 { status = code >> 8 & 0xFF }
        if !isCut, code & 0x7F == SIGXCPU {
            throw ImportFailure(.timedOut, "\(name) used more than \(limits.processorSeconds) s of processor time")
        }
        if !isCut, OutsideEnding.isSignal(code & 0x7F) {
            throw ImportFailure(.interrupted, "\(name) ended with signal \(code & 0x7F) while it read it")
        }
        if status == 127 { throw Self.cannotStart(name, ENOENT) }
    }

    private mutating func collect(from pipe: Int32, atMost limit: Int, until deadline: Deadline) -> End {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            var poller = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let ready = poll(&poller, 1, deadline.milliseconds)
            if ready < 0, errno == EINTR { continue }
            if ready <= 0 { return .late }
            let count = read(pipe, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return .all }
            output += buffer[..<min(count, limit - output.count)]
            if output.count >= limit { return .cut }
        }
    }

    private static func hasEnded(_ pid: pid_t, by deadline: Deadline) -> Bool {
        let handle = dd_watch_pidfd_open(pid)
        // Without it the kill that follows is early for a program that closed its output and works on: no harm.
        guard handle >= 0 else { return true }
        defer { close(handle) }
        while true {
            var poller = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
            let ready = poll(&poller, 1, deadline.milliseconds)
            if ready < 0, errno == EINTR { continue }
            return ready > 0
        }
    }

    private static func cannotStart(_ name: String, _ error: Int32) -> ImportFailure {
        ImportFailure(.unavailable, "\(name), which reads it, cannot be started: \(String(cString: strerror(error)))")
    }
}
