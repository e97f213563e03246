/// What made one text of lines of another.
struct LineChanges {
    /// In the order of the old text.
    private let all: [LineChange]
    /// No other way to pair equal lines is as good, so that every program finds the same changes. Repeated lines, empty
    /// ones above all, often have several; and of many changes programs no longer look for the fewest.
    let isCertain: Bool

    /// Nil where more lines than the limit, beyond those at the beginning and end that are equal, are to be compared.
    init?(from old: [Int], to new: [Int], limit: Int) {
        guard let forth = LineChange.changes(from: old, to: new, limit: limit),
            let back = LineChange.changes(from: old.reversed(), to: new.reversed(), limit: limit)
        else { return nil }
        all = forth
        // The comparison prefers one end, but for equal lines at both: where it finds the same from either, and nothing
        // can slide, there is one way only.
        isCertain =
            forth == back.reversed().map { $0.reversed(in: old.count) }
            && forth.allSatisfy { !$0.canSlide(in: old) }
            && forth.reduce(0) { $0 + $1.range.count + $1.lines.count } <= Self.fewLines
    }

    /// GNU diff gives up the search for the fewest changes at a cost of 256 (`too_expensive` in its analysis).
    private static let fewLines = 256

    /// Both made one and the same change, of which a merge keeps one.
    func share(with other: LineChanges) -> Bool { all.contains { other.all.contains($0) } }

    func areApart(from other: LineChanges) -> Bool {
        all.allSatisfy { change in other.all.allSatisfy { change.isApart(from: $0) } }
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

    /// A line right beside it could be paired with one that came, or have gone in the place of one that went.
    func canSlide(in old: [Int]) -> Bool {
        let beside = [old[..<range.lowerBound].last, old[range.upperBound...].first]
        return beside.contains { line in line.map { lines.contains($0) || old[range].contains($0) } == true }
    }

    /// As it is in both texts when they are read from their ends.
    func reversed(in count: Int) -> LineChange {
        LineChange(range: count - range.upperBound..<count - range.lowerBound, lines: lines.reversed())
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
