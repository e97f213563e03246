import DriveCore
import DrivePredicates

/// How a predicate is answered: what the search index says about documents becomes attributes of their own, `#0` and so on,
/// SQLite narrows the rows, and the evaluator decides about those that are left.
struct SearchPlan {
    struct Lookup {
        let comparison: PredicateComparison
        let candidates: DocumentCandidates
    }

    private(set) var predicate: MetadataPredicate
    private(set) var lookups: [Lookup] = []
    let names: NameLookup?

    init(_ predicate: MetadataPredicate, names: NameLookup?, documents: SearchIndex?) throws {
        self.predicate = predicate
        self.names = names
        if let documents { self.predicate = try replaced(predicate, DocumentLookup(index: documents)) }
    }

    private mutating func replaced(_ predicate: MetadataPredicate, _ lookup: DocumentLookup) throws -> MetadataPredicate
    {
        switch predicate {
        case .constant: return predicate
        case .not(let inner): return .not(try replaced(inner, lookup))
        case .and(let parts): return .and(try parts.map { try replaced($0, lookup) })
        case .or(let parts):
            // What was looked up already comes first: it is often sure, and then nothing else has to be worked out.
            let all = try parts.map { try replaced($0, lookup) }
            return .or(all.filter(Self.isLookup) + all.filter { !Self.isLookup($0) })
        case .comparison(let comparison):
            guard let candidates = try lookup.candidates(comparison) else { return predicate }
            lookups.append(Lookup(comparison: comparison, candidates: candidates))
            return .comparison(
                PredicateComparison(
                    .keyPath([Self.name(of: lookups.count - 1)]), .equal, .constant(.bool(true))))
        }
    }

    private static func isLookup(_ predicate: MetadataPredicate) -> Bool {
        guard case .comparison(let comparison) = predicate, case .keyPath(let keys) = comparison.left else {
            return false
        }
        return keys.count == 1 && lookup(keys[0]) != nil
    }

    /// No attribute of the language begins with it.
    static func name(of lookup: Int) -> String { "#\(lookup)" }

    static func lookup(_ name: String) -> Int? { name.hasPrefix("#") ? Int(name.dropFirst()) : nil }
}
