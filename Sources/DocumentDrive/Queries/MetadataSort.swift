import DriveIndex
import DrivePredicates

/// One key of an order, as an NSSortDescriptor of a metadata query is.
///
/// What an item lacks comes first where it ascends. Numbers and dates go by value, texts without regard to case and
/// accents, and where those are equal by code points; of several values the first counts.
public struct MetadataSort: Hashable, Sendable {
    /// The name of an attribute, such as `kMDItemFSSize`.
    public var attribute: String
    public var isAscending: Bool

    public init(_ attribute: String, isAscending: Bool = true) {
        self.attribute = attribute
        self.isAscending = isAscending
    }
}

/// What a value counts as in an order.
struct SortKey: Comparable {
    private var rank = 0
    private var number = 0.0
    private var exact: Int64 = 0
    private var folded: [UInt8] = []
    private var text = ""

    init(_ value: PredicateValue) {
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
    static func == (a: SortKey, b: SortKey) -> Bool {
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

    static func < (a: SortKey, b: SortKey) -> Bool { a.rank != b.rank ? a.rank < b.rank : precedes(a, b) }
}

extension [MetadataItem] {
    /// By the keys, and by path where all are equal.
    public func sorted(by keys: [MetadataSort]) -> [MetadataItem] {
        if keys.isEmpty { return sorted { $0.path < $1.path } }
        let values = map { item in keys.map { SortKey(item.value(forAttribute: $0.attribute)) } }
        // Items are large: their places are put in order.
        let places = indices.sorted { one, other in
            let (a, b) = (values[one], values[other])
            for (place, key) in keys.enumerated() where a[place] != b[place] {
                return (a[place] < b[place]) == key.isAscending
            }
            return self[one].path < self[other].path
        }
        return places.map { self[$0] }
    }
}
