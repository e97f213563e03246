/// A key that a store may turn into a path: components of `a-z`, `0-9`, `-` and `.` that do not begin with a dot, joined
/// by `/`. So no key leads outside or needs encoding, and whatever begins with a dot is never an object: our unfinished
/// files, and most that other tools leave.
public struct StoreKey: Hashable, Sendable {
    public var text: ObjectKey
    public var components: [FileName]

    public static let longest = 1024

    /// Throws `usage` where the text is no such key.
    public init(_ text: ObjectKey) throws(DriveError) {
        let parts = text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.longest, parts.allSatisfy({ Self.isComponent(Array($0)) }) else {
            throw DriveError(.usage, "not a possible key of a store", path: text)
        }
        self.text = text
        components = parts.map { FileName(bytes: Array($0)) }
    }

    public var folder: [FileName] { Array(components.dropLast()) }
    public var name: FileName { components[components.count - 1] }

    public static func isComponent(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, first != 0x2E, bytes.count <= FileName.maximumLength else { return false }
        return bytes.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D || $0 == 0x2E }
    }
}
