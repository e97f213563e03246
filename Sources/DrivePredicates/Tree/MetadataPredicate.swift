/// A condition on the metadata of an item: the tree that predicate formats, Spotlight's raw queries and words all become.
///
///     let predicate = try MetadataPredicate(format: "kMDItemFSName LIKE[cd] '*.pdf' AND kMDItemFSSize > %d", arguments: [1024])
///     let isMatch = try predicate.prepared().evaluate(item)
///
/// (Foundation has a `Predicate` already, over Swift types.)
public indirect enum MetadataPredicate: Hashable, Sendable {
    /// TRUEPREDICATE, FALSEPREDICATE.
    case constant(Bool)
    /// Two or more, side by side; see `all` for any number.
    case and([MetadataPredicate])
    /// Two or more, side by side; see `any` for any number.
    case or([MetadataPredicate])
    case not(MetadataPredicate)
    case comparison(PredicateComparison)
}

extension MetadataPredicate {
    /// True where all of the predicates are; of none, always.
    public static func all(_ predicates: [MetadataPredicate]) -> MetadataPredicate {
        predicates.count == 1 ? predicates[0] : predicates.isEmpty ? .constant(true) : .and(predicates)
    }

    /// True where any of the predicates is; of none, never.
    public static func any(_ predicates: [MetadataPredicate]) -> MetadataPredicate {
        predicates.count == 1 ? predicates[0] : predicates.isEmpty ? .constant(false) : .or(predicates)
    }
}

extension MetadataPredicate: CustomStringConvertible {
    public var description: String { predicateFormat }
}
