import DriveCore

/// The rules that are known, and what their files looked like when they were read.
struct IgnoreMemory {
    private(set) var tree = IgnoreTree()
    private(set) var facts: [DrivePath: FileFacts] = [:]
    /// The sum of what each folder's rules are told by: one that changes costs itself, however many there are.
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    /// Nil for a folder that has no rules, and facts for a file that was read.
    mutating func set(_ rules: IgnoreRules?, _ facts: FileFacts?, in folder: DrivePath) {
        self.facts[folder.appending(IgnoreRules.fileName)] = facts
        let old = tree[folder]
        if old == rules { return }
        if let mark = old.map({ Fingerprint($0.source(in: folder)) }) {
            (high, low) = (high &- mark.high, low &- mark.low)
        }
        tree[folder] = rules
        if let mark = rules.map({ Fingerprint($0.source(in: folder)) }) {
            (high, low) = (high &+ mark.high, low &+ mark.low)
        }
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
