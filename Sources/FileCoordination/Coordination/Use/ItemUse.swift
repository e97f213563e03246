public import DriveCore
import Glibc

/// That somebody has an item now, through a coordinated access.
public struct ItemUse: Hashable, Sendable, Codable {
    /// What is had: the item that was asked about, one in it, or a folder around it.
    public var path: DrivePath
    /// Nil where nobody can tell.
    public var process: Int32?
    /// The name of its program, while it runs.
    public var program: String?
    /// Milliseconds since 1970; nil where another process keeps it to itself.
    public var since: UInt64?

    init(_ path: DrivePath, process: Int32?, since: UInt64? = nil) {
        self.path = path
        self.process = process
        self.since = since
        program = process.flatMap(Self.program)
    }

    /// In a sentence: `less (process 1234)`.
    public var user: String {
        guard let process else { return "another program" }
        return "\(program ?? "a program") (process \(process))"
    }

    /// proc_pid_comm(5).
    private static func program(of process: Int32) -> String? {
        guard let bytes = SmallProcFile.bytes("/proc/\(process)/comm") else { return nil }
        let name = bytes.prefix { $0 != 0x0A }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}

/// Files of proc(5), which have no size before they are read.
enum SmallProcFile {
    /// Nil where it is not there, or not for this user.
    static func bytes(_ path: String) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        defer { close(number) }
        var result: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = piece.withUnsafeMutableBytes { read(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? result : nil }
            result += piece[..<count]
        }
    }
}
