import Glibc
import TestSupport

/// A process of its own that writes files. One that a test writes itself may be open for writing a moment longer than it
/// thinks: in a program that another test starts just then; and the kernel tells that it was closed only after that.
final class FileWriter: Sendable {
    private let process: ChildProcess
    private let socket: Int32

    private struct Failure: Error {
        let description: String
    }

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(description: "no socket to the writer")
        }
        defer { close(ends[1]) }
        socket = ends[0]
        let script = #"while IFS= read -r path && IFS= read -r text; do printf %s "$text" > "$path"; echo; done"#
        process = try ChildProcess(
            "/bin/sh", ["-c", script], input: ends[1], output: .descriptor(ends[1]), errors: .file("/dev/null"))
    }

    deinit {
        close(socket)
        process.wait()
    }

    /// Returns when the file is closed. Path and text are one line each.
    func write(_ text: String, to path: String) throws {
        let order = "\(path)\n\(text)\n"
        var answer: UInt8 = 0
        guard send(socket, order, order.utf8.count, Int32(MSG_NOSIGNAL)) == order.utf8.count,
            read(socket, &answer, 1) == 1
        else { throw Failure(description: "\(path) cannot be written") }
    }
}
