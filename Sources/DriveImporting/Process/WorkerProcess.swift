import CLinux
import Glibc
import Synchronization

/// One importer process and the channel to it. It is ended with this value at the latest.
final class WorkerProcess: Sendable {
    /// How a worker ended.
    struct End: Equatable {
        /// Nil if it ended by itself, or had to be ended.
        let signal: Int32?
        /// The most that it had resident; 0 where that is not known.
        let peakBytes: UInt64
    }

    let pid: pid_t
    private let channel: Channel
    /// Its number may be another process's by now.
    private let isCollected = Mutex(false)
    /// The peak that it has from this process (getrusage(2): it survives execve), which says nothing of its own.
    private let inheritedBytes: UInt64

    init(program: String, memoryBytes: UInt64) throws(ImportFailure) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw ImportFailure(.unavailable, "no channel to an importer process can be made (error \(errno))")
        }
        defer { close(ends[1]) }
        var pid: pid_t = 0
        let error = withArgumentVector([program, String(memoryBytes)]) { vector in
            dd_watch_spawn(program, vector, ends[1], &pid)
        }
        guard error == 0 else {
            close(ends[0])
            throw ImportFailure(
                .unavailable, "the importer program \(program) cannot be started: \(String(cString: strerror(error)))")
        }
        self.pid = pid
        // Before it is asked for anything: it starts programs of its own.
        dd_give_open_files(pid)
        channel = Channel(descriptor: ends[0])
        var own = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &own)
        inheritedBytes = UInt64(max(0, own.ru_maxrss)) * 1024
    }

    deinit { close(channel.descriptor) }

    /// Asks and waits for the answer; the thread blocks meanwhile.
    func exchange(_ request: ImportRequest, by deadline: Deadline) throws(Channel.End) -> ImportReply {
        try channel.send(request.encoded, by: deadline)
        guard let body = try channel.receive(by: deadline), let reply = try? ImportReply(body),
            reply.number == request.number
        else { throw .broken }
        return reply
    }

    /// Whether it waits for a request: one that is gone, or says something unasked, does not.
    var isReady: Bool {
        var poller = pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&poller, 1, 0) == 0
    }

    func kill() {
        isCollected.withLock { if !$0 { Glibc.kill(-pid, SIGKILL) } }
    }

    /// Ends the process, by force if it does not go by itself in time, and collects it. To be called once.
    func end(graceMilliseconds: Int32) -> End {
        let seen = livingPeak()
        shutdown(channel.descriptor, Int32(SHUT_RDWR))
        let handle = dd_watch_pidfd_open(pid)
        var poller = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        let isForced = graceMilliseconds == 0 || handle < 0 || poll(&poller, 1, graceMilliseconds) <= 0
        if isForced { kill() }
        if handle >= 0 { close(handle) }
        var status: Int32 = 0
        var peak: UInt64 = 0
        // First only until it has ended, since nobody may signal it once it is collected.
        var facts = siginfo_t()
        while waitid(P_PID, id_t(pid), &facts, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let result = isCollected.withLock { isCollected in
            isCollected = true
            return dd_import_wait(pid, &status, &peak)
        }
        let own = seen ?? (peak > inheritedBytes ? peak : 0)
        let signal = result >= 0 && status & 0x7F != 0 ? status & 0x7F : nil
        return End(signal: isForced && signal == SIGKILL ? nil : signal, peakBytes: own)
    }

    /// Nil where it has ended (proc_pid_status(5), VmHWM).
    private func livingPeak() -> UInt64? {
        guard let file = fopen("/proc/\(pid)/status", "re") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix("VmHWM:") else { continue }
            return text.split(separator: " ", omittingEmptySubsequences: true).compactMap { UInt64($0) }.first.map {
                $0 * 1024
            }
        }
        return nil
    }
}
