/// Markers that a dot or dash begins.
extension MarkedStem {
    /// syncthing/docs, users/syncing.rst.
    init?(syncthing bytes: ArraySlice<UInt8>) {
        stem = bytes
        let id = stem.suffix(7)
        let labelled = stem.dropLast(7)
        if id.count == 7, id.allSatisfy(Self.isBase32), labelled.last == UInt8(ascii: "-") {
            device = id.label
            stem = labelled.dropLast()
        }
        guard let time = stem.takeTime("########-######"), stem.dropTail(".sync-conflict-") else { return nil }
        self.time = time
    }

    private static func isBase32(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x32...0x37).contains(byte)
    }

    /// owncloud/client before version 2.5, `makeConflictFileName`; the user is that of CSYNC_CONFLICT_FILE_USERNAME.
    init?(oldOwncloud bytes: ArraySlice<UInt8>) {
        stem = bytes
        guard let time = stem.takeTime("########-######"), stem.dropTail("-") else { return nil }
        self.time = time
        if stem.dropTail("_conflict") { return }
        guard let start = stem.lastStart(of: "_conflict_"),
            let user = stem[start...].after("_conflict_")?.label
        else { return nil }
        device = user
        stem = stem[..<start]
    }

    /// abraunegg/onedrive, `safeBackup` in src/util.d. Stem and host may both have dashes: the shortest host comes
    /// first.
    init?(onedrive bytes: ArraySlice<UInt8>) {
        stem = bytes
        guard stem.hasTail("####"), let number = stem.suffix(4).label.flatMap({ Int($0) }), (1...1000).contains(number)
        else { return nil }
        stem = stem.dropLast(4)
        guard stem.dropTail("-safeBackup-") else { return nil }
        let stems = stem.indices.reversed().filter { place in
            stem[place] == UInt8(ascii: "-") && place > stem.startIndex && Self.isHost(stem[(place + 1)...])
        }
        guard let first = stems.first else { return nil }
        device = stem[(first + 1)...].label
        otherStems = stems.dropFirst().map { stem[..<$0] }
        stem = stem[..<first]
    }

    /// Letters, digits, dots and dashes (RFC 1123, 2.1), and the underscore that some have.
    private static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first != UInt8(ascii: "-"), bytes.last != UInt8(ascii: "-") else { return false }
        return bytes.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "-._".utf8.contains(byte)
        }
    }

    /// help.resilio.com, "What is a .Conflict file".
    init?(resilio bytes: ArraySlice<UInt8>) {
        stem = bytes
        _ = stem.takeNumber()
        guard stem.dropTail(".Conflict") else { return nil }
    }

    /// Apple, TN2336. Four digits are a year.
    init?(icloud bytes: ArraySlice<UInt8>) {
        stem = bytes
        guard stem.takeNumber(from: 2, digits: 3), stem.dropTail(" ") else { return nil }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func lastStart(of text: StaticString) -> Int? {
        indices.reversed().first { self[$0...].after(text) != nil }
    }
}
