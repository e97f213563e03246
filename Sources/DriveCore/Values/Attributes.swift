/// An aspect of an item that devices share besides name, place and content. Unknown keys are carried along.
public struct AttributeKey: Hashable, Comparable, Sendable {
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// One byte, 0 or 1: the owner may execute the file.
    public static let executable = AttributeKey(rawValue: 1)
    /// 12 bytes, big-endian: seconds, nanoseconds. Set when only the time changed; a content brings its own.
    public static let modified = AttributeKey(rawValue: 2)
    /// The bytes of `user.xdg.tags` (freedesktop.org, "Common Extended Attributes").
    public static let tags = AttributeKey(rawValue: 3)
    /// The bytes of `user.xdg.comment`.
    public static let comment = AttributeKey(rawValue: 4)
    /// The bytes of `user.xdg.origin.url`.
    public static let originURL = AttributeKey(rawValue: 5)

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    /// The extended attribute that holds it on disk, if it is one.
    public var extendedAttributeName: String? {
        switch self {
        case .tags: "user.xdg.tags"
        case .comment: "user.xdg.comment"
        case .originURL: "user.xdg.origin.url"
        default: nil
        }
    }

    public static let extendedAttributes: [AttributeKey] = [.tags, .comment, .originURL]
}

/// The attributes of a file on a disk or in the view.
public struct Attributes: Hashable, Sendable {
    public var isExecutable: Bool
    /// Nil for folders, whose times are not carried.
    public var modified: FileTime?
    /// Bytes of the extended attributes that are carried; absent means the file has none of that name.
    public var extended: [AttributeKey: [UInt8]]

    public init(isExecutable: Bool = false, modified: FileTime? = nil, extended: [AttributeKey: [UInt8]] = [:]) {
        self.isExecutable = isExecutable
        self.modified = modified
        self.extended = extended
    }
}

extension Attributes {
    /// Gives what a change made of something else its value of before; false where another change came after it, which stays.
    mutating func takeBack(from left: Attributes, to before: Attributes) -> Bool {
        var isWhole = true
        func takeBack<Value: Equatable>(_ value: inout Value, _ left: Value, _ before: Value) {
            guard left != before, value != before else { return }
            if value == left { value = before } else { isWhole = false }
        }
        takeBack(&isExecutable, left.isExecutable, before.isExecutable)
        takeBack(&modified, left.modified, before.modified)
        for key in Set(left.extended.keys).union(before.extended.keys) {
            takeBack(&extended[key], left.extended[key], before.extended[key])
        }
        return isWhole
    }
}

extension FileTime {
    /// 12 bytes, big-endian.
    public var attributeBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: seconds >> (56 - 8 * $0)) }
            + (0..<4).map { UInt8(truncatingIfNeeded: nanoseconds >> (24 - 8 * $0)) }
    }

    public init?(attributeBytes: [UInt8]) {
        guard attributeBytes.count == 12 else { return nil }
        let seconds = attributeBytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let nanoseconds = attributeBytes[8...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard nanoseconds < 1_000_000_000 else { return nil }
        self.init(seconds: Int64(bitPattern: seconds), nanoseconds: nanoseconds)
    }
}
