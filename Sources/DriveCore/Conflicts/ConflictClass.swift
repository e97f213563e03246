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
    public init?(_ a: [UInt8]?, _ b: [UInt8]?, ancestor: [UInt8]?) {
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
            self.init(texts: a, b, ancestor: ancestor)
        }
    }

    private init(texts a: [UInt8], _ b: [UInt8], ancestor: [UInt8]?) {
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
        guard let changesA = LineChange.changes(from: base, to: linesA, limit: Self.greatestLineCount),
            let changesB = LineChange.changes(from: base, to: linesB, limit: Self.greatestLineCount)
        else { return }
        if changesA.allSatisfy({ change in changesB.allSatisfy { change.isApart(from: $0) } }) { self = .mergeable }
    }

    /// UTF-8 without a zero byte.
    public static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }
}

/// Lines of the ancestor that became other lines.
private struct LineChange: Hashable {
    var range: Range<Int>
    var lines: [Int]

    /// Not even side by side, or the very same change: as diff3 has it (Khanna, Kunal, Pierce: "A Formal Investigation
    /// of Diff3", 2007).
    func isApart(from other: LineChange) -> Bool {
        self == other || range.upperBound < other.range.lowerBound || other.range.upperBound < range.lowerBound
    }

    /// In order; nil where there are too many lines to compare.
    static func changes(from base: [Int], to new: [Int], limit: Int) -> [LineChange]? {
        let start = zip(base, new).prefix { $0 == $1 }.count
        let end = zip(base[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
        let old = base[start..<(base.count - end)]
        let changed = new[start..<(new.count - end)]
        guard max(old.count, changed.count) <= limit else { return nil }
        let difference = Array(changed).difference(from: Array(old))
        let removed = Set(difference.removals.map(\.place))
        let inserted = Set(difference.insertions.map(\.place))
        var result: [LineChange] = []
        var i = 0
        var j = 0
        while i < old.count || j < changed.count {
            let from = (i, j)
            while removed.contains(i) { i += 1 }
            while inserted.contains(j) { j += 1 }
            if from != (i, j) {
                let lines = Array(changed[(start + from.1)..<(start + j)])
                result.append(LineChange(range: (start + from.0)..<(start + i), lines: lines))
            }
            if i < old.count { i += 1 }
            if j < changed.count { j += 1 }
        }
        return result
    }
}

extension CollectionDifference.Change {
    fileprivate var place: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
