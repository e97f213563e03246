import DriveCore

/// Recognises `<stem> (conflicted copy from <label> <YYYY-MM-DD HHMMSS>)[ <n>]<.ext>`.
///
/// Written from the grammar and not with the engine's own code, because it judges what that code makes.
public struct ConflictCopyName: Hashable, Sendable {
    public var original: FileName
    public var label: String
    /// The name with the time and number as `*` and the marker at its end, as the merge cases write it.
    public var pattern: FileName

    static let opening = Array(" (conflicted copy from ".utf8)
    private static let time = Array("0000-00-00 000000".utf8)

    public init?(_ name: FileName) {
        let bytes = name.bytes
        guard let start = Self.lastIndex(of: Self.opening, in: bytes) else { return nil }
        let inside = start + Self.opening.count
        guard let close = bytes[inside...].firstIndex(of: 0x29) else { return nil }
        let timeStart = close - Self.time.count
        guard timeStart > inside + 1, bytes[timeStart - 1] == 0x20,
            zip(bytes[timeStart..<close], Self.time).allSatisfy({ found, form in
                form == 0x30 ? (0x30...0x39).contains(found) : found == form
            })
        else { return nil }
        var rest = bytes[(close + 1)...]
        if rest.first == 0x20 {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            if digits.isEmpty { return nil }
            rest = rest.dropFirst(1 + digits.count)
        }
        if let first = rest.first, first != 0x2E { return nil }
        original = FileName(bytes: Array(bytes[..<start]) + rest)
        label = String(decoding: bytes[inside..<timeStart - 1], as: UTF8.self)
        pattern = FileName(bytes: Array(bytes[..<start]) + rest + Array(bytes[start..<timeStart]) + [0x2A, 0x29])
    }

    private static func lastIndex(of part: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= part.count else { return nil }
        return (0...bytes.count - part.count).last { bytes[$0..<$0 + part.count] == part[...] }
    }
}

extension DrivePath {
    /// The path with every conflict copy's time as `*`.
    public var pattern: DrivePath { DrivePath(components.map { ConflictCopyName($0)?.pattern ?? $0 }) }
}
