/// Markers in parentheses whose words are English in every language.
extension MarkedStem {
    /// nextcloud/desktop and owncloud/client, `Utility::makeConflictFileName`: a user has no parentheses there.
    init?(nextcloud bytes: ArraySlice<UInt8>) {
        stem = bytes
        guard var inside = stem.takeParenthesis(), let time = inside.takeTime("####-##-## ######"),
            let labelled = inside.after("conflicted copy ")
        else { return nil }
        self.time = time
        guard !labelled.isEmpty else { return }
        // `from` and a device is `ConflictName`'s form.
        guard labelled.last == 0x20, labelled.after("from ") == nil, !labelled.contains(where: Self.isParenthesis),
            let user = labelled.dropLast().label
        else { return nil }
        device = user
    }

    private static func isParenthesis(_ byte: UInt8) -> Bool { byte == 0x28 || byte == 0x29 }

    /// haiwen/seafile, `gen_conflict_path`.
    init?(seafile bytes: ArraySlice<UInt8>) {
        stem = bytes
        guard var inside = stem.takeParenthesis(), let time = inside.takeTime("####-##-##-##-##-##"),
            let labelled = inside.after("SFConflict ")
        else { return nil }
        self.time = time
        guard !labelled.isEmpty else { return }
        guard labelled.last == 0x20, let user = labelled.dropLast().label else { return nil }
        device = user
    }

    /// bcpierce00/unison, `finishCopy` in src/files.ml.
    init?(unison bytes: ArraySlice<UInt8>) {
        stem = bytes
        guard var inside = stem.takeParenthesis() else { return nil }
        _ = inside.dropTail("_was_deleted")
        guard let time = inside.takeTime("####-##-##"), inside.dropTail("_on_") else { return nil }
        self.time = time
        guard var numbered = inside.after("conflict") else { return nil }
        guard numbered.isEmpty || numbered.takeNumber() && numbered.elementsEqual(" #".utf8) else { return nil }
    }

    /// obsidianmd/obsidian-help, "Troubleshoot Obsidian Sync".
    init?(obsidian bytes: ArraySlice<UInt8>) {
        stem = bytes
        guard var inside = stem.takeParenthesis(), let time = inside.takeTime("############"), inside.dropTail(" "),
            let device = inside.after("Conflicted copy ")?.label
        else { return nil }
        self.time = time
        self.device = device
    }

    /// samschott/maestral, `generate_cc_name`: a number after the words where a name is taken.
    init?(maestral bytes: ArraySlice<UInt8>) {
        stem = bytes
        guard var inside = stem.takeParenthesis() else { return nil }
        inside.dropCounter()
        if Self.maestralWords.contains(where: { inside.after($0)?.isEmpty == true }) { return }
        guard let time = inside.takeTime("####-##-##"), inside.dropTail(" "),
            Self.maestralOwners.contains(where: { inside.dropTail($0) }), let device = inside.label
        else { return nil }
        self.time = time
        self.device = device
    }

    private static let maestralWords: [StaticString] = [
        "conflicting copy", "case conflict", "unicode conflict", "selective sync conflict",
    ]
    private static let maestralOwners: [StaticString] = [
        "'s conflicting copy", "’s conflicting copy", "'s conflicted copy", "’s conflicted copy",
    ]

    init?(autorename bytes: ArraySlice<UInt8>) {
        stem = bytes
        guard var inside = stem.takeParenthesis(), inside.takeNumber(), inside.isEmpty else { return nil }
    }
}

extension ArraySlice<UInt8> {
    /// Takes a space and a number off the end, if they are there; one of six digits is a time.
    mutating func dropCounter() {
        var rest = self
        if rest.takeNumber(digits: 3), rest.dropTail(" ") { self = rest }
    }
}
