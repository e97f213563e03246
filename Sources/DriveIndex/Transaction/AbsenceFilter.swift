import DriveCore

/// What the tables may have, in an index that was empty when it was opened: a Bloom filter (Bloom, "Space/time trade-offs in
/// hash coding with allowable errors", 1970). A first scan, and a first sync, ask of everything that is new whether it is
/// known, by inode, name, item, content and chunk; the answer is no, and without the filter each costs SQLite a search.
///
/// 512 KiB, filled for as long as the process lives. What was noted stays noted, whatever is thrown away or removed later:
/// only "not there" is certain. Of 100,000 files one answer in thirty is wrongly "perhaps", of a million one in two.
final class AbsenceFilter {
    enum Subject: UInt64 {
        case rowOfInode = 1
        case rowOfHash, rowHolding, rowNamed, item, itemNamed, event, chunk
    }

    private var words = [UInt64](repeating: 0, count: 1 << 16)

    func note(_ subject: Subject, _ value: UInt64, _ more: UInt64 = 0) {
        let (first, second) = Self.places(subject, value, more)
        words[first >> 6] |= 1 << UInt64(first & 63)
        words[second >> 6] |= 1 << UInt64(second & 63)
    }

    /// False only where it was never noted.
    func mayHave(_ subject: Subject, _ value: UInt64, _ more: UInt64 = 0) -> Bool {
        let (first, second) = Self.places(subject, value, more)
        return words[first >> 6] & (1 << UInt64(first & 63)) != 0
            && words[second >> 6] & (1 << UInt64(second & 63)) != 0
    }

    /// Two numbers of 22 bits, which neighbours do not share: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
    private static func places(_ subject: Subject, _ value: UInt64, _ more: UInt64) -> (Int, Int) {
        var mixed = value ^ (more &* 0x9FB2_1C65_1E98_DF25) ^ (subject.rawValue &* 0x9E37_79B9_7F4A_7C15)
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return (Int(mixed & 0x3F_FFFF), Int(mixed >> 42))
    }
}

extension AbsenceFilter {
    func note(_ row: Row) {
        note(.rowOfInode, row.facts.identity.inode)
        if let hash = row.hash { note(.rowOfHash, hash.words.0) }
        for member in row.members { note(.rowHolding, member.item.high, member.item.low) }
        note(.rowNamed, UInt64(bitPattern: row.parent.rawValue), Self.number(of: row.name))
    }

    func note(_ item: StoredItem) {
        note(.item, item.id.high, item.id.low)
        guard let parent = item.shape.parent else { return }
        note(.itemNamed, parent.high ^ parent.low, Self.number(of: item.state.name.value))
    }

    func mayHave(item: ItemID) -> Bool { mayHave(.item, item.high, item.low) }
    func mayHave(rowHolding item: ItemID) -> Bool { mayHave(.rowHolding, item.high, item.low) }

    func mayHave(itemIn parent: ItemID, named name: FileName) -> Bool {
        mayHave(.itemNamed, parent.high ^ parent.low, Self.number(of: name))
    }

    func mayHave(rowIn folder: RowID, named name: FileName) -> Bool {
        mayHave(.rowNamed, UInt64(bitPattern: folder.rawValue), Self.number(of: name))
    }

    func note(eventAt path: DrivePath) { note(.event, Self.number(of: path)) }
    func mayHave(eventAt path: DrivePath) -> Bool { mayHave(.event, Self.number(of: path)) }

    private static func number(of name: some Hashable) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(name)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
