/// One component of a path, as the bytes the file system holds.
///
/// Names are never `String`: two names whose Unicode forms are canonically equal are different files, and a name need
/// not be UTF-8 at all.
public struct FileName: Hashable, Comparable, Sendable {
    public var bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }

    public init(_ text: String) { self.bytes = Array(text.utf8) }

    /// The longest name that Linux file systems hold, in bytes (`NAME_MAX`, limits.h).
    public static let maximumLength = 255

    /// Whether a file system can hold the name: not empty, not `.` or `..`, no `/`, no NUL, at most 255 bytes.
    public var isValid: Bool {
        guard !bytes.isEmpty, bytes.count <= Self.maximumLength else { return false }
        if bytes == [0x2E] || bytes == [0x2E, 0x2E] { return false }
        return !bytes.contains { $0 == 0x2F || $0 == 0 }
    }

    /// The name as text where it is UTF-8.
    public var utf8Text: String? { String(validating: bytes, as: UTF8.self) }

    public static func < (a: FileName, b: FileName) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

extension FileName {
    /// All bytes at once: an array's own way hashes them one by one.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes.count)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension FileName: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name for people: invalid bytes are shown as the replacement character, so never use it to open a file.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    public init(stringLiteral text: String) { self.init(text) }
}

/// A path beneath the root of a drive; the root itself has no components.
///
/// It always begins at the drive's folder: a `/` before it changes nothing, and `..` is a name that nothing has, so that none leads
/// out of the drive. What a path of this machine is in a drive, `DriveReader.path(of:)` tells.
public struct DrivePath: Hashable, Comparable, Sendable {
    public var components: [FileName]

    public init(_ components: [FileName] = []) { self.components = components }

    /// Splits at `/`; empty components, also those before the first `/` and behind the last, and `.` are dropped: `/a/b` is `a/b`.
    public init(bytes: [UInt8]) {
        components = []
        var start = 0
        for place in 0...bytes.count where place == bytes.count || bytes[place] == 0x2F {
            if place > start, place > start + 1 || bytes[start] != 0x2E {
                components.append(FileName(bytes: Array(bytes[start..<place])))
            }
            start = place + 1
        }
    }

    public init(bytes: some Sequence<UInt8>) { self.init(bytes: Array(bytes)) }

    /// The same for text. No path of this machine is looked for in the drive: `/home/me/a` is `home/me/a` beneath it.
    public init(_ text: String) { self.init(bytes: text.utf8) }

    public static let root = DrivePath()

    /// As many folders within one another are brought to a disk. No program opens longer paths (`PATH_MAX`, limits.h,
    /// is 4,096 bytes), and records may claim any depth.
    public static let deepest = 1_024

    public var isRoot: Bool { components.isEmpty }
    public var name: FileName? { components.last }
    public var parent: DrivePath { DrivePath(Array(components.dropLast())) }
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(components.reduce(0) { $0 + $1.bytes.count + 1 })
        for (place, component) in components.enumerated() {
            if place > 0 { bytes.append(0x2F) }
            bytes += component.bytes
        }
        return bytes
    }

    public func appending(_ name: FileName) -> DrivePath { DrivePath(components + [name]) }

    /// Whether this path is `ancestor` or lies beneath it.
    public func isInside(_ ancestor: DrivePath) -> Bool { components.starts(with: ancestor.components) }

    /// Where this, at or beneath `old`, is once `old` has become `new`.
    public func moved(from old: DrivePath, to new: DrivePath) -> DrivePath {
        DrivePath(new.components + components.dropFirst(old.components.count))
    }

    public static func < (a: DrivePath, b: DrivePath) -> Bool {
        a.components.lexicographicallyPrecedes(b.components)
    }
}

extension DrivePath: CustomStringConvertible, ExpressibleByStringLiteral {
    /// For people; the root is `.`.
    public var description: String { isRoot ? "." : String(decoding: bytes, as: UTF8.self) }

    public init(stringLiteral text: String) { self.init(text) }
}
