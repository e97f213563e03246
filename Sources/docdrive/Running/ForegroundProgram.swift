import DriveCore
import DocumentDrive
import Glibc

/// Another program that takes over the terminal for a while.
enum ForegroundProgram {
    /// Its exit status, or 128 and its signal's number as shells have it. The program is looked for in PATH; arguments are bytes,
    /// as paths are.
    static func run(_ program: String, _ arguments: [[UInt8]]) throws(DriveError) -> Int32 {
        Output.flush()
        let words: [UnsafeMutablePointer<CChar>?] = ([Array(program.utf8)] + arguments).map { word in
            (word.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { strdup($0.baseAddress!) }
        }
        defer { for word in words { free(word) } }
        var number: pid_t = 0
        let code = posix_spawnp(&number, program, nil, nil, words + [nil], environ)
        guard code == 0 else {
            throw DriveError(
                .notFound,
                "the program cannot be started: \(String(cString: strerror(code))); install it, or name another one",
                path: program)
        }
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
}
