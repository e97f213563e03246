/// What everything in a folder looked like, in one number: while it is the same, so is all that a look at each entry
/// tells. The order in which entries are added does not count.
public struct FolderDigest: Hashable, Sendable {
    public private(set) var high: UInt64
    public private(set) var low: UInt64
    public private(set) var count: UInt64

    public init(high: UInt64 = 0, low: UInt64 = 0, count: UInt64 = 0) {
        (self.high, self.low, self.count) = (high, low, count)
    }

    /// The fingerprint of what `describe` wrote of an entry. Sums of fingerprints: two folders that differ have one sum with
    /// the chance that two fingerprints are equal.
    public mutating func add(_ entry: Fingerprint) {
        high &+= entry.high
        low &+= entry.low
        count += 1
    }

    /// The bytes before the name in a description.
    public static let descriptionHead = 64

    /// Whether an entry can be part of a digest. Of what is not synced a walk has something to say each time.
    public static func covers(_ facts: FileFacts) -> Bool { facts.kind != .other && !facts.isForeignMount }

    /// Writes the name and all that `FileFacts.looksUnchanged` compares, and returns the number of bytes. The buffer holds
    /// `descriptionHead` bytes and the name.
    public static func describe(
        _ name: UnsafeBufferPointer<UInt8>, _ facts: FileFacts, in buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        precondition(buffer.count >= descriptionHead + name.count)
        let birth = facts.identity.birth
        let words = (
            facts.identity.inode, facts.size, UInt64(bitPattern: facts.modified.seconds),
            UInt64(bitPattern: facts.changed.seconds), UInt64(bitPattern: birth?.seconds ?? 0),
            UInt64(facts.modified.nanoseconds) << 32 | UInt64(facts.changed.nanoseconds),
            UInt64(birth?.nanoseconds ?? 0) << 32 | UInt64(facts.kind.rawValue) << 8 | (birth == nil ? 0 : 1),
            UInt64(name.count)
        )
        withUnsafeBytes(of: words) { buffer.copyMemory(from: $0) }
        UnsafeMutableRawBufferPointer(rebasing: buffer[descriptionHead...]).copyMemory(
            from: UnsafeRawBufferPointer(name))
        return descriptionHead + name.count
    }
}

/// A folder that a walk found just as its rows have it, so that the next walk need not compare them while the digest is
/// the same. Whatever changes a row in the folder forgets it.
public struct KnownFolder: Hashable, Sendable {
    public var digest: FolderDigest
    /// What the ignore rules were for what is in it (`EngineOptions.ignoreRules`).
    public var rules: Fingerprint
    /// The folders in it to go into.
    public var folders: [Inner]

    public struct Inner: Hashable, Sendable {
        public var row: RowID
        public var name: FileName

        public init(row: RowID, name: FileName) { (self.row, self.name) = (row, name) }
    }

    public init(digest: FolderDigest, rules: Fingerprint, folders: [Inner]) {
        (self.digest, self.rules, self.folders) = (digest, rules, folders)
    }
}
