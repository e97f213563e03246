import DriveCore

/// The rules that are known, and what their files looked like when they were read.
struct IgnoreMemory {
    private(set) var tree = IgnoreTree()
    private(set) var facts: [DrivePath: FileFacts] = [:]
    /// The sum of what each file's rules are told by: one that changes costs itself, however many there are.
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    /// Nil for a file that is not there, and facts for one that was read. Whether there are other rules now.
    @discardableResult
    mutating func set(_ rules: IgnoreRules?, _ facts: FileFacts?, of file: DrivePath) -> Bool {
        self.facts[file] = facts
        let old = tree[file: file]
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
