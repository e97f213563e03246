/// Dropbox names its copies in the language of whoever it works for. A language is here only where public files or
/// scripts show its form; macOS decomposes accents and syllables, so those have both forms.
extension MarkedStem {
    init?(dropbox bytes: ArraySlice<UInt8>) {
        stem = bytes
        guard var inside = stem.takeParenthesis() else { return nil }
        // ` 1` or ` (1)` where a name is taken.
        var counted = inside
        if var counter = counted.takeParenthesis(), counter.takeNumber(), counter.isEmpty { inside = counted }
        inside.dropCounter()
        if Self.dropboxConflicts.contains(where: { inside.after($0)?.isEmpty == true }) { return }
        guard let time = inside.takeTime("####-##-##"), inside.dropTail(" ") else { return nil }
        self.time = time
        if Self.dropboxCopies.contains(where: { inside.after($0)?.isEmpty == true }) { return }
        guard let device = Self.dropboxOwner(inside) else { return nil }
        self.device = device
    }

    private static func dropboxOwner(_ inside: ArraySlice<UInt8>) -> String? {
        for words in dropboxCopiesOf { if let owner = inside.after(words) { return owner.label } }
        for words in dropboxOwnersCopies where inside.hasTail(words) {
            return inside.dropLast(words.utf8CodeUnitCount).label
        }
        return nil
    }

    /// Without a date: of names that are the same to a server, and of folders that came back.
    private static let dropboxConflicts: [StaticString] = [
        "Case Conflict", "Unicode Encoding Conflict", "Selective Sync Conflict", "shared folder conflict",
        "Conflicto de mayúsculas y minúsculas",
        "Conflicto de mayu\u{301}sculas y minu\u{301}sculas",
    ]

    /// Of nobody, before the date.
    private static let dropboxCopies: [StaticString] = [
        "conflicted copy",
        // Japanese (a list of test data of AtCoder).
        "競合コピー", "競合コヒ\u{309A}ー",
    ]

    /// Before whoever made the copy.
    private static let dropboxCopiesOf: [StaticString] = [
        // German, as scripts of 2011 have it (encfs-dropbox tools, GrandFrere).
        "In Konflikt stehende Kopie von ",
        // French, Italian, Spanish, Portuguese: names in repositories and the shell scripts that look for them.
        "Copie en conflit de ",
        "Copia in conflitto di ",
        "Copia en conflicto de ",
        "Copia conflictiva de ",
        "Cópia em conflito de ", "Co\u{301}pia em conflito de ",
        // Polish (a test of another program).
        "kopia powodująca konflikt użytkownika ", "kopia powoduja\u{328}ca konflikt uz\u{307}ytkownika ",
        // Russian (a Qt project file).
        "Конфликтующая копия с компьютера ",
        "Конфликтующая копия пользователя ",
    ]

    /// After whoever made the copy.
    private static let dropboxOwnersCopies: [StaticString] = [
        // help.dropbox.com, "What's a conflicted copy?", with either apostrophe.
        "'s conflicted copy", "’s conflicted copy",
        // German and Danish have the genitive without apostrophe; Swedish as a test of another program has it.
        "s in Konflikt stehende Kopie",
        "s modstridende kopi",
        ":s motstridiga kopia",
        // Japanese, the second as GrandFrere has it.
        " の競合コピー", " の競合コヒ\u{309A}ー",
        " 上の問題のあるコピー", " 上の問題のあるコヒ\u{309A}ー",
        // Simplified Chinese (a list of papers).
        " 的冲突副本",
        // Korean (tests of other programs).
        "의 충돌된 사본",
        "\u{110B}\u{1174} \u{110E}\u{116E}\u{11BC}\u{1103}\u{1169}\u{11AF}\u{1103}\u{116C}\u{11AB} \u{1109}\u{1161}\u{1107}\u{1169}\u{11AB}",
    ]
}
