import Glibc
import SpawnSupport
import Synchronization

/// A program that a test starts: nothing is open to it but what it is given.
///
/// Not Foundation's `Process`: a program that another test starts at the same moment may get the socket by which that learns
/// that its own has ended, and where the other is a server it would wait for ever.
public final class ChildProcess: Sendable {
    public let id: pid_t
    private let code = Mutex<Int32?>(nil)

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// The program is a path; it reads nothing where there is no input. Files as output are appended to, and made; without one
    /// for errors they go where the output goes.
    public init(
        _ program: String, _ arguments: [String], in folder: String? = nil, environment: [String: String]? = nil,
        input: Int32? = nil, output: Output = .file("/dev/null"), errors: Output? = nil
    ) throws {
        let words = CStrings([program] + arguments)
        let variables = environment.map { CStrings($0.map { "\($0.key)=\($0.value)" }) }
        var opened: [Int32] = []
        defer { for file in opened { close(file) } }
        func file(_ path: String, _ flags: Int32) throws -> Int32 {
            let file = open(path, flags | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Failure(description: "\(path): \(String(cString: strerror(errno)))") }
            opened.append(file)
            return file
        }
        func descriptor(_ output: Output) throws -> Int32 {
            switch output {
            case .file(let path): try file(path, O_WRONLY | O_CREAT | O_APPEND)
            case .descriptor(let descriptor): descriptor
            }
        }
        let out = try descriptor(output)
        let standard = [try input ?? file("/dev/null", O_RDONLY), out, try errors.map(descriptor) ?? out]
        var id: pid_t = 0
        let result = spawn_child(
            program, words.pointers, variables?.pointers ?? environ, folder, standard, &id)
        guard result == 0 else { throw Failure(description: "\(program): \(String(cString: strerror(result)))") }
        self.id = id
    }

    /// Where a program writes to.
    public enum Output: Sendable {
        case file(String), descriptor(Int32)
    }

    /// Its exit code, or 128 and the number of the signal that ended it. Blocks; any thread may ask, at any time.
    @discardableResult public func wait() -> Int32 {
        // It is left to be collected, so that its number stays its own as long as somebody may send it a signal.
        var news = siginfo_t()
        while waitid(P_PID, id_t(id), &news, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return code.withLock { code in
            if let code { return code }
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            let result = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            code = result
            return result
        }
    }

    /// The same, without blocking the thread that asks.
    public func end() async -> Int32 { await OwnThread.run { self.wait() } }

    public var isRunning: Bool {
        var news = siginfo_t()
        while waitid(P_PID, id_t(id), &news, WEXITED | WNOWAIT | WNOHANG) < 0 {
            if errno != EINTR { return false }
        }
        return news._sifields._kill.si_pid == 0
    }

    /// Nothing where it has ended and somebody has waited for that.
    public func send(_ signal: Int32) { code.withLock { if $0 == nil { kill(id, signal) } } }
}

/// Arguments or variables as a program gets them.
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        count = texts.count
        pointers = .allocate(capacity: count + 1)
        for (index, text) in texts.enumerated() { (pointers + index).initialize(to: strdup(text)) }
        (pointers + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}
