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
    /// Which lookup stands for a comparison.
    private var places: [PredicateComparison: Int] = [:]

    init(_ predicate: MetadataPredicate, names: NameLookup?, documents: SearchIndex?) throws {
        self.predicate = predicate
        self.names = names
        self.predicate = try replaced(predicate, documents.map { DocumentLookup(index: $0) })
    }

    private mutating func replaced(
        _ predicate: MetadataPredicate, _ lookup: DocumentLookup?
    ) throws -> MetadataPredicate {
        switch predicate {
        case .constant: return predicate
        case .not(let inner): return .not(try replaced(inner, lookup))
        case .and(let parts): return .all(try replaced(each: parts, lookup))
        case .or(let parts):
            // What was looked up already comes first: it is often sure, and then nothing else has to be worked out.
            let all = try replaced(each: parts, lookup)
            return .any(all.filter(Self.isLookup) + all.filter { !Self.isLookup($0) })
        case .comparison(let comparison):
            guard let place = try place(of: comparison, lookup) else { return predicate }
            return .comparison(PredicateComparison(.keyPath([Self.name(of: place)]), .equal, .constant(.bool(true))))
        }
    }

    /// What is said twice, as in a list of words that somebody pasted, is worked out once.
    private mutating func replaced(
        each parts: [MetadataPredicate], _ lookup: DocumentLookup?
    ) throws -> [MetadataPredicate] {
        var seen: Set<MetadataPredicate> = []
        return try parts.filter { seen.insert($0).inserted }.map { try replaced($0, lookup) }
    }

    private mutating func place(of comparison: PredicateComparison, _ lookup: DocumentLookup?) throws -> Int? {
        if let known = places[comparison] { return known }
        guard let candidates = try lookup?.candidates(comparison) else { return nil }
        lookups.append(Lookup(comparison: comparison, candidates: candidates))
        places[comparison] = lookups.count - 1
        return lookups.count - 1
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
