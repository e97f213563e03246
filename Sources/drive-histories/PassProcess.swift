import DriveTesting
import Foundation
import Glibc

/// A running docdrive.
struct PassProcess {
    let number: pid_t
    private let output: String

    struct Ended {
        /// The exit code, or the negative number of a signal.
        var code: Int32
        var text: String
    }

    init(_ program: String, _ arguments: [String], _ environment: [String], output: String) throws {
        self.output = output
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var number: pid_t = 0
        let status = posix_spawn(&number, program, &actions, nil, &argv, &envp)
        if status != 0 { throw DiskFault("\(program) does not start: \(String(cString: strerror(status)))") }
        self.number = number
    }

    mutating func wait() -> Ended {
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        return ended(status)
    }

    mutating func poll() -> Ended? {
        var status: Int32 = 0
        return waitpid(number, &status, WNOHANG) == number ? ended(status) : nil
    }

    private func ended(_ status: Int32) -> Ended {
        let signal = status & 0x7F
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        return Ended(code: signal == 0 ? (status >> 8) & 0xFF : -signal, text: text)
    }
}

extension PassProcess.Ended {
    /// What `sync --json` says, as far as it matters here.
    private struct Document: Decodable {
        var summary: Summary

        struct Summary: Decodable {
            var sent: Int
            var placed: Int
            var replaced: Int
            var moved: Int
            var removed: Int
            var problems: Int
            var isUnsettled: Bool
            var heldHere: Int
            var heldThere: Int
        }
    }

    var pass: HistoryPass {
        // Notices come before it.
        let document = text.drop { $0 != "{" }
        let summary = try? JSONDecoder().decode(Document.self, from: Data(document.utf8)).summary
        // Not now, and what is not done yet: the next pass goes on.
        if summary == nil, code == 75 { return HistoryPass(isComplete: false, hasRecorded: true, hasBrought: true) }
        guard let summary, [0, 2, 75].contains(code) else {
            return HistoryPass(
                isComplete: false, hasRecorded: true, hasBrought: true, fault: "the pass ended with \(code): \(text)")
        }
        return HistoryPass(
            isComplete: code == 0 && !summary.isUnsettled && summary.problems == 0
                && summary.heldHere + summary.heldThere == 0,
            hasRecorded: summary.sent > 0,
            hasBrought: summary.placed + summary.replaced + summary.moved + summary.removed > 0)
    }
}
