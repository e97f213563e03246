import DriveCore

/// The rules that are known, and what their files looked like when they were read.
struct IgnoreMemory {
    private(set) var tree = IgnoreTree()
    private(set) var facts: [DrivePath: FileFacts] = [:]
    /// What has rules that were not read from what is there now.
    private(set) var unread: Set<DrivePath> = []
    /// What was read and is to be remembered by the index, nil of files that are not there.
    private var new: [DrivePath: RememberedRules?] = [:]
    /// The sum of what each file's rules are told by: one that changes costs itself, however many there are.
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    /// Nil for a file that is not there, and facts for one that was read. Whether there are other rules now.
    @discardableResult
    mutating func set(_ rules: IgnoreRules?, _ facts: FileFacts?, of file: DrivePath) -> Bool {
        self.facts[file] = facts
        if rules != nil, facts == nil { unread.insert(file) } else { unread.remove(file) }
        let old = tree[file: file]
        if rules == nil, old != nil { new[file] = .some(nil) }
        if old == rules { return false }
        if let mark = old.map({ Fingerprint($0.source(of: file)) }) {
            (high, low) = (high &- mark.high, low &- mark.low)
        }
        tree[file: file] = rules
        if let mark = rules.map({ Fingerprint($0.source(of: file)) }) {
            (high, low) = (high &+ mark.high, low &+ mark.low)
        }
        return true
    }

    /// Of a file that was read.
    mutating func set(_ text: IgnoreFile.Text, _ facts: FileFacts, of file: DrivePath) -> Bool {
        new[file] = RememberedRules(text, facts)
        return set(text.rules, facts, of: file)
    }

    /// What the index does not know yet, which it is told once.
    mutating func takeNew() -> [DrivePath: RememberedRules?] {
        defer { new = [:] }
        return new
    }

    /// Tells the rules for what is directly in a folder from others.
    func rules(in folder: DrivePath) -> Fingerprint {
        guard tree.needsPlaces else { return Fingerprint(high: high, low: low) }
        var writer = ByteWriter()
        writer.fixed(high)
        writer.fixed(low)
        for name in folder.components { writer.blob(name.bytes) }
        return Fingerprint(writer.bytes)
    }
}

extension Fingerprint {
    /// Of few bytes, and the same in every process.
    fileprivate init(_ bytes: [UInt8]) {
        let words = ContentHasher.hash(of: bytes).words
        self.init(high: words.0, low: words.1)
    }
}
