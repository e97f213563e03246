/// Why an item is as it is, and what would help.
public struct Explanation: Hashable, Sendable {
    public var path: DrivePath
    public var cause: Cause
    public var standing: Standing
    /// What is the matter, as a sentence without its full stop.
    public var sentence: String
    /// Milliseconds since 1970.
    public var since: UInt64?
    /// What has to happen for it to go on.
    public var waitsFor: String?
    /// What ended the last pass is why; `waitsFor` is then in the words of whoever met it.
    public var isOfTrouble = false
    /// When it is tried next, in milliseconds since 1970, where anybody knows.
    public var nextTry: UInt64?
    /// The one command that helps.
    public var remedy: String?
    /// The device whose change this is about; nil for this one.
    public var device: String?
    /// Who has it, of what is in use.
    public var user: ItemFacts.User?
    /// Where it is now, the other sides of its conflict, or the name that it waits for.
    public var others: [DrivePath] = []
    /// Of what is ignored.
    public var rule: IgnoreDecision?
    /// What the three sides have: here, when last in step, in the store.
    public var here: Side?
    /// Where `here` is nil and something may be there all the same.
    public var hereInstead: Instead?
    public var last: Side?
    public var store: Side?
    /// What is here is recorded, and the store was not told yet; of the other two sides nothing is known then.
    public var isUnsent = false

    /// Whether it can come in step, or is, though nobody does anything.
    public var mayPass: Bool {
        switch standing {
        case .held, .error: false
        case .waiting: cause == .paused ? nextTry != nil : cause != .nameTaken
        default: true
        }
    }

    public enum Instead: String, Hashable, Sendable {
        /// A socket, a pipe or a device.
        case specialFile = "special-file"
        /// It may not be looked at.
        case unseen
        /// Nobody has looked: of one of many, all that is known is what the index has.
        case notLooked = "not-looked"
    }

    public struct Side: Hashable, Sendable {
        public var kind: ItemKind
        public var size: UInt64
        public var modified: FileTime?
        public var hash: ContentHash?

        public init(kind: ItemKind, size: UInt64, modified: FileTime?, hash: ContentHash?) {
            self.kind = kind
            self.size = size
            self.modified = modified
            self.hash = hash
        }
    }
}

extension Explanation.Side {
    init(_ row: Row) {
        self.init(
            kind: row.kind, size: row.kind == .folder ? 0 : row.facts.size, modified: row.facts.modified, hash: row.hash
        )
    }

    init(_ entry: ViewEntry) {
        self.init(
            kind: entry.kind, size: entry.content?.size ?? 0, modified: entry.attributes.modified,
            hash: entry.content?.hash)
    }

    /// Nil for what is no item of a drive. A look tells no hash.
    init?(_ facts: FileFacts) {
        let kind: ItemKind
        switch facts.kind {
        case .file: kind = .file
        case .folder: kind = .folder
        case .link: kind = .link
        case .other: return nil
        }
        self.init(kind: kind, size: kind == .folder ? 0 : facts.size, modified: facts.modified, hash: nil)
    }
}
