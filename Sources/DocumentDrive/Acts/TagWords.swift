public import DriveCore
import DrivePredicates

// Tags as people name them, which is how `tag:work` asks for them. What other programs wrote stays as it is.
extension TagList {
    /// Nothing happens where it is there already, whatever its case.
    public mutating func add(word: String) {
        if !texts.contains(where: { Self.isSame($0, word, .caseInsensitive) }) { add(word) }
    }

    /// As it is given, whatever its case; where there is none, what `tag:` finds, for which accents do not count either.
    public mutating func remove(word: String) {
        for options in [.caseInsensitive, [.caseInsensitive, .diacriticInsensitive]] as [ComparisonOptions] {
            let same = texts.filter { Self.isSame($0, word, options) }
            for tag in same { remove(tag) }
            if !same.isEmpty { return }
        }
    }

    private static func isSame(_ tag: String, _ word: String, _ options: ComparisonOptions) -> Bool {
        TextFolding.folded(tag, options) == TextFolding.folded(word, options)
    }
}
