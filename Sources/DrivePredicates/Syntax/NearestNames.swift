/// Finds the names that were probably meant.
package enum NearestNames {
    /// Up to `count` of the names that differ least from the word, none that differ by more than a third of it.
    package static func nearest(to word: String, in names: [String], count: Int = 3) -> [String] {
        let wanted = Array(word.lowercased().utf16.prefix(64))
        let limit = max(1, wanted.count / 3)
        var found: [(distance: Int, name: String)] = []
        for name in names {
            let candidate = Array(name.lowercased().utf16.prefix(64))
            guard abs(candidate.count - wanted.count) <= limit else { continue }
            let distance = distance(wanted, candidate)
            if distance <= limit { found.append((distance, name)) }
        }
        return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(count).map(\.name)
    }

    /// Edits (insert, delete, replace, swap of neighbours) from one to the other.
    static func distance(_ a: [UInt16], _ b: [UInt16]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for row in 0..<a.count {
            var next = [row + 1]
            next.reserveCapacity(b.count + 1)
            for column in 0..<b.count {
                var best = min(last[column + 1] + 1, next[column] + 1, last[column] + (a[row] == b[column] ? 0 : 1))
                if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                next.append(best)
            }
            (beforeLast, last) = (last, next)
        }
        return last[b.count]
    }
}
