/// The keys of a page of a list: those with a prefix that come after another in byte order.
public struct KeyRange: Hashable, Sendable {
    public let prefix: [UInt8]
    public let after: [UInt8]?

    public init(prefix: String, after: ObjectKey?) {
        self.prefix = Array(prefix.utf8)
        self.after = after.map { Array($0.utf8) }
    }

    /// Whether the key is one of them; of a beginning with a slash at its end, whether any key beneath it may be.
    ///
    /// `/` sorts between `.` and `0`, so a folder must be compared with its slash to come where its keys do.
    public func mayHold(_ key: [UInt8]) -> Bool {
        let isFolder = key.last == 0x2F
        guard key.starts(with: prefix) || (isFolder && prefix.starts(with: key)) else { return false }
        guard let after else { return true }
        return after.lexicographicallyPrecedes(key) || (isFolder && after.starts(with: key))
    }
}
