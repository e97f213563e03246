import CLinux
import DriveCore
import DocumentDrive
import Glibc

/// Another program that takes over the terminal for a while.
enum ForegroundProgram {
    /// Its exit status, or 128 and its signal's number as shells have it. The program is looked for in PATH; arguments are bytes,
    /// as paths are. `started` is told its process.
    static func run(
        _ program: [UInt8], _ arguments: [[UInt8]], environment more: [String: [UInt8]] = [:],
        started: (pid_t) -> Void = { _ in }
    ) throws(DriveError) -> Int32 {
        Output.flush()
        var number: pid_t = 0
        let code = spawn(program, arguments, more, &number)
        guard code == 0 else {
            throw DriveError(
                .notFound,
                "the program cannot be started: \(String(cString: strerror(code))); install it, or name another one",
                path: String(decoding: program, as: UTF8.self))
        }
        started(number)
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    static func run(_ program: String, _ arguments: [[UInt8]]) throws(DriveError) -> Int32 {
        try run(Array(program.utf8), arguments)
    }

    private static func spawn(
        _ program: [UInt8], _ arguments: [[UInt8]], _ more: [String: [UInt8]], _ number: inout pid_t
    ) -> Int32 {
        let environment = SpawnStrings.environment(more)
        let words = SpawnStrings.words([program] + arguments)
        defer { for word in words + environment { free(word) } }
        return -dd_start_program(words, environment, ChildSignals.defaults, [-1, -1, -1], false, &number)
    }
}
