/// What kind of conflict two contents are in: what may be offered, and how much a person has to look.
public enum ConflictClass: String, Hashable, Sendable, CaseIterable {
    /// The same bytes.
    case identical
    /// Text, and one has every line of the other in the same order: keeping it loses no line.
    case superset
    /// Text, and the changes since the common ancestor touch different lines.
    case mergeable
    /// Text, and both changed the same lines; or the ancestor is not known, or the texts are too large to tell.
    case divergent
    /// At least one is not text.
    case binary
    /// One side deleted what the other edited.
    case deleteVersusEdit = "delete-vs-edit"

    /// All of them, for people.
    public static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// A larger content is not compared by lines.
    public static let greatestSize = 1 << 20
    /// So many lines, beyond those at the beginning and end that are equal, are compared: time and memory grow with
    /// the square of their number where all differ.
    public static let greatestLineCount = 1_000

    /// Nil for a side that is deleted; nil for an ancestor that is not known. The class is the same when the sides are
    /// exchanged.
    ///
    /// `merges` says whether a merge of the two texts with their ancestor leaves nothing to decide, nil where it cannot
    /// tell. It is asked only where lines can be paired in several ways, of which whoever merges may take another one, and
    /// where both made the same change.
    public init?(_ a: [UInt8]?, _ b: [UInt8]?, ancestor: [UInt8]?, merges: () -> Bool? = { nil }) {
        guard let a, let b else {
            if a == nil, b == nil { return nil }
            self = .deleteVersusEdit
            return
        }
        if a == b {
            self = .identical
        } else if !Self.isText(a) || !Self.isText(b) {
            self = .binary
        } else if max(a.count, b.count) > Self.greatestSize {
            self = .divergent
        } else {
            self.init(texts: a, b, ancestor: ancestor, merges)
        }
    }

    private init(texts a: [UInt8], _ b: [UInt8], ancestor: [UInt8]?, _ merges: () -> Bool?) {
        var numbering = LineNumbering()
        let linesA = numbering.number(a)
        let linesB = numbering.number(b)
        if linesA.isSubsequence(of: linesB) || linesB.isSubsequence(of: linesA) {
            self = .superset
            return
        }
        self = .divergent
        guard let ancestor, ancestor.count <= Self.greatestSize, Self.isText(ancestor) else { return }
        let base = numbering.number(ancestor)
        guard let changesA = LineChanges(from: base, to: linesA, limit: Self.greatestLineCount),
            let changesB = LineChanges(from: base, to: linesB, limit: Self.greatestLineCount)
        else { return }
        let isCertain = changesA.isCertain && changesB.isCertain && !changesA.share(with: changesB)
        if (isCertain ? nil : merges()) ?? changesA.areApart(from: changesB) { self = .mergeable }
    }

    /// UTF-8 without a zero byte.
    public static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }
}
