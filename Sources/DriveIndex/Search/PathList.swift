import DriveCore
import Glibc

/// Many paths, one after the other in one place: to put them in order and to print them takes no path apart.
package struct PathList: Sendable {
    /// Before each name, so that the order of bytes is that of `DrivePath`.
    private static var separator: UInt8 { 0 }
    private var bytes: [UInt8] = []
    private var spans: [Span] = []

    private struct Span {
        var start: Int
        var end: Int
    }

    package init() {}

    package var count: Int { spans.count }

    /// `folder` is empty, or a path as this list holds them.
    mutating func append(_ name: FileName, in folder: [UInt8]) {
        let start = bytes.count
        bytes += folder
        bytes.append(Self.separator)
        bytes += name.bytes
        spans.append(Span(start: start, end: bytes.count))
    }

    package mutating func append(_ path: DrivePath) {
        let start = bytes.count
        for name in path.components {
            bytes.append(Self.separator)
            bytes += name.bytes
        }
        spans.append(Span(start: start, end: bytes.count))
    }

    package mutating func sort() {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            spans.sort { one, other in
                let (length, otherLength) = (one.end - one.start, other.end - other.start)
                let order = memcmp(base + one.start, base + other.start, min(length, otherLength))
                return order == 0 ? length < otherLength : order < 0
            }
        }
    }

    /// Each as the file system writes it, beneath the drive.
    package func forEach(_ body: (ArraySlice<UInt8>) -> Void) {
        let separated = bytes.map { $0 == Self.separator ? 0x2F : $0 }
        for span in spans { body(separated[span.start..<span.end].dropFirst()) }
    }
}
