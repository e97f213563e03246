/// Why nothing could be read out of a file.
public struct ImportFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// It cannot be opened or read, or is no regular file.
        case unreadable = 1
        /// Its bytes are not what its type says.
        case malformed = 2
        /// It unpacks to, or holds, more than the limits allow.
        case tooLarge = 3
        case encrypted = 4
        case timedOut = 5
        case memory = 6
        /// The process that read it ended.
        case crashed = 7
        /// A program or the importer process is missing, or the pool has ended; the file is not to blame.
        case unavailable = 8
        /// Somebody else ended its reading, or it did not get enough of the machine in its time; the file is hardly to blame.
        case interrupted = 9
    }

    public let kind: Kind
    /// For people: what is wrong with the file.
    public let message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }

    /// Whether another attempt at the same bytes may do better.
    public var isWorthRepeating: Bool { [.unavailable, .unreadable, .interrupted].contains(kind) }
}
