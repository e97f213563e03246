import DriveCore
import Glibc

enum LinkTarget {
    /// Where the intent asks for it, about what a link at its path leads to. Throws where that is not in the drive, so that
    /// no claim could protect it.
    static func resolving(_ intent: FileIntent, beneath root: [UInt8]) throws(DriveError) -> FileIntent {
        guard intent.reading?.contains(.resolvesSymbolicLink) == true else { return intent }
        let place = CoordinatedItem(intent.path, root: root).place
        guard let target = resolved(place), let base = resolved(root) else {
            throw DriveError(.notFound, "the link leads nowhere; mend it", path: intent.path.description)
        }
        guard target == base || target.starts(with: base + [0x2F]) else {
            throw DriveError(
                .usage, "the link leads out of the drive, where nothing can be coordinated; name an item in the drive",
                path: intent.path.description)
        }
        var intent = intent
        intent.path = DrivePath(bytes: target.dropFirst(base.count))
        return intent
    }

    private static func resolved(_ place: [UInt8]) -> [UInt8]? {
        (place.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            guard let found = realpath(buffer.baseAddress, nil) else { return nil }
            defer { free(found) }
            return UnsafeBufferPointer(start: found, count: strlen(found)).map { UInt8(bitPattern: $0) }
        }
    }
}
