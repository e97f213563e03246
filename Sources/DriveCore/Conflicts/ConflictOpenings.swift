/// What a name has that the marker of some scheme must have. Nearly every name has none of it, and one pass over its
/// bytes, without memory of its own, finds that.
struct ConflictOpenings: OptionSet {
    var rawValue: UInt8

    /// ` (`
    static let parenthesis = ConflictOpenings(rawValue: 1)
    /// `onflict`, after a letter of either case, or `..path`.
    static let word = ConflictOpenings(rawValue: 2)
    /// `.variant-`
    static let variant = ConflictOpenings(rawValue: 4)
    /// `-safeBackup-`
    static let backup = ConflictOpenings(rawValue: 8)
}

extension ConflictOpenings {
    /// The rarest byte of each is looked for first.
    init(in bytes: [UInt8]) {
        var found: ConflictOpenings = []
        bytes.withUnsafeBufferPointer { bytes in
            for place in bytes.indices {
                switch bytes[place] {
                case UInt8(ascii: "("): if bytes.has(" ", at: place - 1) { found.insert(.parenthesis) }
                case UInt8(ascii: "f"): if bytes.has("onflict", at: place - 2) { found.insert(.word) }
                case UInt8(ascii: "v"): if bytes.has(".variant-", at: place - 1) { found.insert(.variant) }
                case UInt8(ascii: "B"): if bytes.has("-safeBackup-", at: place - 5) { found.insert(.backup) }
                case UInt8(ascii: "."): if bytes.has("..path", at: place - 1) { found.insert(.word) }
                default: break
                }
            }
        }
        self = found
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func has(_ text: StaticString, at start: Int) -> Bool {
        guard start >= 0, count - start >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            for place in text.indices where self[start + place] != text[place] { return false }
            return true
        }
    }
}

extension ConflictScheme {
    /// A name that has not all of them is not of the scheme.
    var openings: ConflictOpenings {
        switch self {
        case .docdrive, .nextcloud, .seafile, .unison, .maestral, .obsidian: [.parenthesis, .word]
        case .syncthing, .owncloud, .rclone, .resilio: .word
        // Most languages have another word.
        case .dropbox, .autorename: .parenthesis
        case .onedrive: .backup
        case .gitannex: .variant
        case .icloud: []
        }
    }
}
