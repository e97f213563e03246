/// What was: earlier contents of items, what was done together, and what is known of conflicts.
public protocol HistoryStorage: AnyObject {
    /// Adds those that are not there yet: the first time that a content was replaced is the one that counts.
    func keep(_ versions: [PastVersion]) throws
    /// Those of one item, the earliest replaced first.
    func pastVersions(of item: ItemID) throws -> [PastVersion]
    /// Forgets what was replaced before this moment of the time that has been seen pass (`SeenTime`), but for these contents.
    func removePastVersions(before time: UInt64, but kept: Set<ContentHash>) throws

    /// Those of all past versions.
    func pastContents() throws -> [Content]

    /// A past version with this content, of any item.
    func pastVersion(of content: ContentHash) throws -> PastVersion?

    /// The newest event about a path, where it then was.
    func newestEvent(at path: DrivePath) throws -> DriveEvent?
    /// Those about a path, the newest first, as long as the body returns true.
    func events(at path: DrivePath, while body: (DriveEvent) throws -> Bool) throws
    /// The id of the newest operation; 0 where there is none.
    func lastOperation() throws -> UInt64
    /// The newest `limit` of those that events are kept of, newest first.
    func operations(limit: Int) throws -> [DriveOperation]
    /// What an operation did, the last first.
    func events(of operation: UInt64) throws -> [DriveEvent]

    func conflictRecords() throws -> [ConflictRecord]
    /// Inserts or replaces, by item and dot.
    func save(_ record: ConflictRecord) throws
    func removeConflictRecord(of item: ItemID, _ dot: Dot) throws
}

extension HistoryStorage {
    /// What a join or a record left out becomes a past version.
    public func keep(_ replaced: [ReplacedHead], until time: UInt64) throws {
        guard !replaced.isEmpty else { return }
        try keep(replaced.map { PastVersion(item: $0.item, head: $0.head, until: time) })
    }
}

extension HistoryStorage where Self: ViewStorage {
    /// Where the bytes of these contents lie on the store, of those that records name. Looks through all items only for
    /// what no past version has.
    public func contents(_ wanted: Set<ContentHash>) throws -> [ContentHash: Content] {
        var found: [ContentHash: Content] = [:]
        for hash in wanted { found[hash] = try pastVersion(of: hash)?.head.content }
        guard found.count < wanted.count else { return found }
        try eachItem { item in
            for head in item.state.heads where wanted.contains(head.content.hash) {
                found[head.content.hash] = head.content
            }
        }
        return found
    }
}
