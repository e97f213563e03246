import CLinux
import DocumentDrive
import Glibc

/// A person's command line that works beside this process, away from its terminal's signals.
///
/// Not Foundation's `Process`: that waits also for what the command leaves running in the background.
enum ShellCommand {
    /// Its exit status, or 128 and its signal's number as shells have it; nil where it cannot be started. A command that does not
    /// read all of its input is none the worse for it.
    ///
    /// `runs` is told the number of its process group once it runs, and nil when it has ended and still has that number.
    static func run(
        _ command: String, in folder: FolderPath, input: [UInt8], runs: (pid_t?) -> Void = { _ in }
    ) -> Int32? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        // The command's own input would never end if it had both ends.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let number = start(command, in: folder, input: ends[0])
        close(ends[0])
        if let number {
            runs(number)
            write(input, to: ends[1])
        }
        close(ends[1])
        guard let number else { return nil }
        var news = siginfo_t()
        while waitid(P_PID, id_t(number), &news, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        runs(nil)
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    private static func start(_ command: String, in folder: FolderPath, input: Int32) -> pid_t? {
        let script = #"cd -- "$DOCDRIVE_DIR" && exec /bin/sh -c "$1""#
        let words = SpawnStrings.words(["/bin/sh", "-c", script, "sh", command].map { Array($0.utf8) })
        let variables = SpawnStrings.environment(["DOCDRIVE_DIR": folder.bytes])
        defer { for word in words + variables { free(word) } }
        var number: pid_t = 0
        let code = dd_start_program(words, variables, ChildSignals.defaults, [input, -1, -1], true, &number)
        return code == 0 ? number : nil
    }

    private static func write(_ bytes: [UInt8], to file: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
