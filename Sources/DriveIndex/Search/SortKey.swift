package import DrivePredicates

/// What a value counts as in an order.
package struct SortKey: Comparable {
    private var rank = 0
    private var number = 0.0
    private var exact: Int64 = 0
    private var folded: [UInt8] = []
    private var text = ""

    package init(_ value: PredicateValue) {
        switch value {
        case .null: break
        case .bool(let flag): (rank, exact) = (1, flag ? 1 : 0)
        case .integer(let whole): (rank, exact) = (1, whole)
        case .real(let real): (rank, number) = (1, real.isNaN ? -.infinity : real)
        case .date(let date): (rank, exact, number) = (2, date.seconds, Double(date.nanoseconds))
        case .string(let string):
            (rank, text) = (3, string)
            folded = NameFolding.folded(Array(string.utf8))
        case .list(let values): if let first = values.first { self = SortKey(first) }
        case .data, .dictionary: rank = 4
        }
        if case .integer(let whole) = value { number = Double(whole) }
        if case .bool = value { number = Double(exact) }
    }

    /// Texts are equal by code points alone: a `String` is also equal to another composition of itself, which `<` puts before or
    /// behind it.
    package static func == (a: SortKey, b: SortKey) -> Bool {
        (a.rank, a.number, a.exact) == (b.rank, b.number, b.exact) && a.folded == b.folded
            && a.text.unicodeScalars.elementsEqual(b.text.unicodeScalars)
    }

    private static func precedes(_ a: SortKey, _ b: SortKey) -> Bool {
        // Of a date the seconds, of numbers the value counts first.
        if a.rank == 2, a.exact != b.exact { return a.exact < b.exact }
        if a.number != b.number { return a.number < b.number }
        if a.exact != b.exact { return a.exact < b.exact }
        if a.folded != b.folded { return a.folded.lexicographicallyPrecedes(b.folded) }
        return a.text.unicodeScalars.lexicographicallyPrecedes(b.text.unicodeScalars)
    }

    package static func < (a: SortKey, b: SortKey) -> Bool { a.rank != b.rank ? a.rank < b.rank : precedes(a, b) }
}
