import DriveCore

/// The bytes of an ignore file as they were read last, kept in the index: a process that cannot read the file goes by them, for as
/// long as it is the very file.
struct RememberedRules: Hashable {
    private let stamp: Fingerprint
    private let text: IgnoreFile.Text

    init(_ text: IgnoreFile.Text, _ facts: FileFacts) { (stamp, self.text) = (Self.stamp(facts), text) }

    /// Nil where none are remembered of this file, or it may have other ones by now. A link that has its place since says nothing of them.
    static func rules(of file: DrivePath, _ facts: FileFacts, in state: any DriveState) throws -> IgnoreRules? {
        guard let bytes = try state.setting(key(file)), let found = RememberedRules(bytes),
            found.stamp == stamp(facts) || facts.kind == .link
        else { return nil }
        return found.text.rules
    }

    static func key(_ file: DrivePath) -> String { "ignore-rules \(ContentHasher.hash(of: file.bytes))" }

    /// As a setting of the index.
    var bytes: [UInt8] {
        var writer = ByteWriter(reserving: text.bytes.count + 17)
        writer.fixed(stamp.high)
        writer.fixed(stamp.low)
        writer.byte(text.isCut ? 1 : 0)
        writer.raw(text.bytes)
        return writer.bytes
    }

    private init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let high = try? reader.fixed(UInt64.self), let low = try? reader.fixed(UInt64.self),
            let cut = try? reader.byte(), let rest = try? reader.raw(reader.remaining)
        else { return nil }
        stamp = Fingerprint(high: high, low: low)
        text = IgnoreFile.Text(bytes: rest, isCut: cut != 0)
    }

    /// A `chmod` leaves it alone, an edit does not.
    private static func stamp(_ facts: FileFacts) -> Fingerprint {
        var writer = ByteWriter()
        writer.fixed(facts.identity.inode)
        for time in [facts.identity.birth ?? FileTime(seconds: 0), facts.modified] {
            writer.fixed(time.seconds)
            writer.fixed(time.nanoseconds)
        }
        writer.fixed(facts.size)
        let words = ContentHasher.hash(of: writer.bytes).words
        return Fingerprint(high: words.0, low: words.1)
    }
}

extension FileFacts {
    /// The same inode with the same size and date: what was read of the one holds for the other.
    func isVeryFile(_ other: FileFacts) -> Bool { identity == other.identity && isDated(as: other) }
}
