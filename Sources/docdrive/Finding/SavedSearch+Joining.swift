import DocumentDrive
import DriveCore
import DrivePredicates

extension SavedSearch {
    /// What both ask as one that can be kept: its text is read in one language.
    func joined(with other: SavedSearch) throws(DriveError) -> SavedSearch {
        guard predicate == nil, other.predicate == nil else {
            throw DriveError(
                .usage, "a search that is made of a saved one and a predicate cannot be kept; write it out")
        }
        var whole = refined(by: other)
        whole.words = try Self.joined(words, other.words)
        return whole
    }

    private static func joined(_ first: [String], _ second: [String]) throws(DriveError) -> [String] {
        if first.isEmpty || second.isEmpty { return first + second }
        let texts = [first, second].map { $0.joined(separator: " ") }
        switch (QueryText.detect(texts[0]), QueryText.detect(texts[1])) {
        case (.raw, .raw): return ["(\(texts[0])) && (\(texts[1]))"]
        case (.words, .words) where QueryText.detect(texts.joined(separator: " ")) == .words: return first + second
        default:
            throw DriveError(
                .usage, "a search that is made of words and a raw query cannot be kept; write it out as a raw query")
        }
    }
}
