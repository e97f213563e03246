import Glibc

extension ChildProcess {
    /// How a program ended and what it printed.
    public struct Outcome: Sendable {
        public let code: Int32
        public let output: [UInt8]

        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs a program to its end. What it complains about goes nowhere. Blocks.
    public static func run(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil, input: Int32? = nil
    ) throws -> Outcome {
        var ends: [Int32] = [-1, -1]
        // Unlike a pipe, kept from what others start at this moment, which would keep it open.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(description: "no socket to \(program)")
        }
        defer { close(ends[0]) }
        let process: ChildProcess
        do {
            defer { close(ends[1]) }
            process = try ChildProcess(
                program, arguments, environment: environment, input: input, output: .descriptor(ends[1]),
                errors: .file("/dev/null"))
        }
        let output = everything(ends[0])
        return Outcome(code: process.wait(), output: output)
    }

    private static func everything(_ file: Int32) -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return result }
            result += buffer[..<count]
        }
    }
}
