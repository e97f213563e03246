public import DriveCore
import Foundation
import Glibc

/// That somebody has an item now, through a coordinated access.
public struct ItemUse: Hashable, Sendable {
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

    public var user: ItemFacts.User { ItemFacts.User(process: process, program: program, since: since) }

    /// Whether it is in the way of somebody who wants this item.
    public func concerns(_ item: DrivePath) -> Bool { path.isInside(item) || item.isInside(path.coordinatedItem) }

    /// proc_pid_comm(5).
    private static func program(of process: Int32) -> String? {
        guard let bytes = SmallProcFile.bytes("/proc/\(process)/comm") else { return nil }
        let name = bytes.prefix { $0 != 0x0A }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}

/// A path that is not UTF-8 comes with its bytes.
extension ItemUse: Codable {
    private enum CodingKeys: String, CodingKey { case path, pathBase64, process, program, since }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let bytes = try values.decodeIfPresent(String.self, forKey: .pathBase64).flatMap { Data(base64Encoded: $0) }
        path = try bytes.map { DrivePath(bytes: $0) } ?? DrivePath(values.decode(String.self, forKey: .path))
        process = try values.decodeIfPresent(Int32.self, forKey: .process)
        program = try values.decodeIfPresent(String.self, forKey: .program)
        since = try values.decodeIfPresent(UInt64.self, forKey: .since)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(path.description, forKey: .path)
        try values.encodeIfPresent(path.base64IfNeeded, forKey: .pathBase64)
        try values.encodeIfPresent(process, forKey: .process)
        try values.encodeIfPresent(program, forKey: .program)
        try values.encodeIfPresent(since, forKey: .since)
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
