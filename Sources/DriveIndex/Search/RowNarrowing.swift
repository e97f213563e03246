import DriveCore
import DrivePredicates

/// What a search knows before it looks at rows.
struct NarrowingContext {
    /// Nil for not to use the index of names.
    var names: NameLookup?
    /// What stands behind `#0` and so on.
    var lookups: [DocumentCandidates] = []
    /// Documents may have what rows do not have.
    var knowsDocuments = false
}

/// What SQLite can say about a predicate from the columns of a row alone: a condition that holds for every row for which the
/// predicate holds, and for few others. The evaluator decides about those that are left.
///
/// Values are bound, never put into the text.
struct RowNarrowing {
    private(set) var sql: String
    private(set) var values: [SQLValue] = []
    /// No other rows than these have to be tested; not part of the condition.
    private(set) var names: NameMatch?
    /// It holds for those rows only for which the predicate holds: there is nothing left to decide.
    private(set) var isExact = false
    /// Part of it is a list of rows.
    private var isList = false
    private var isQuick: Bool { isList || names != nil }
    /// The names alone decide.
    private(set) var isNamesAlone = false

    /// What is nested deeper is left to the evaluator: the parser of SQLite 3.45 and before has a stack of 100 places
    /// (`YYSTACKDEPTH`), of which a level takes up to five.
    private static let deepest = 10

    /// More alternatives are left to the evaluator too: SQLite compares each with all others when it looks for indexes, which takes
    /// ten seconds for 8,000. Of as many conditions more say little, and a statement has at most 32,766 values
    /// (`SQLITE_MAX_VARIABLE_NUMBER`).
    private static let longest = 2_000

    /// Nil where nothing can be said.
    init?(_ predicate: MetadataPredicate, _ context: NarrowingContext, depth: Int = 0) throws {
        guard depth < Self.deepest else { return nil }
        switch predicate {
        case .constant(false): self = .never
        case .constant(true), .not: return nil
        case .and(let parts):
            let narrowed = try parts.prefix(Self.longest).compactMap {
                try RowNarrowing($0, context, depth: depth + 1)
            }
            guard !narrowed.isEmpty else { return nil }
            self = narrowed.first(where: \.isNever) ?? RowNarrowing(all: narrowed)
            isExact = isNever || (isExact && narrowed.count == parts.count)
            isNamesAlone = isNamesAlone && isExact
        case .or(let parts):
            guard parts.count <= Self.longest else { return nil }
            let narrowed = try parts.compactMap { try RowNarrowing($0, context, depth: depth + 1) }
            guard narrowed.count == parts.count else { return nil }
            let possible = narrowed.filter { !$0.isNever }
            self = possible.isEmpty ? .never : try RowNarrowing(any: possible)
        case .comparison(let comparison): self.init(comparison, context)
        }
    }

    /// Holds for no row.
    private static var never: RowNarrowing { RowNarrowing(sql: "0", isExact: true) }
    private var isNever: Bool { sql == "0" }

    private init(sql: String, _ values: [SQLValue] = [], names: NameMatch? = nil, isExact: Bool = false) {
        self.sql = sql
        self.values = values
        self.names = names
        self.isExact = isExact
    }

    private init(all parts: [RowNarrowing]) {
        let matches = parts.compactMap(\.names)
        self.init(
            sql: Self.joined(parts.map(\.sql)[...], " AND "),
            parts.flatMap(\.values),
            names: matches.first.map { NameMatch(tests: matches.flatMap(\.tests), lookup: $0.lookup) },
            isExact: parts.allSatisfy(\.isExact))
        isNamesAlone = parts.allSatisfy(\.isNamesAlone)
        isList = parts.contains(where: \.isList)
    }

    private init(any parts: [RowNarrowing]) throws {
        if parts.count == 1 {
            self = parts[0]
        } else {
            // One that has to look at every row makes what the index of names says of the others worthless.
            let whole = parts.allSatisfy(\.isQuick) ? try parts.map { try $0.whole() } : parts
            self.init(
                sql: Self.joined(whole.map(\.sql)[...], " OR "), whole.flatMap(\.values),
                isExact: parts.allSatisfy(\.isExact))
            isList = parts.allSatisfy(\.isQuick)
        }
    }

    /// In pairs of pairs: SQLite reads chains as trees, which may be 1,000 deep (`SQLITE_MAX_EXPR_DEPTH`).
    private static func joined(_ parts: ArraySlice<String>, _ separator: String) -> String {
        if parts.count <= 8 {
            let text = parts.joined(separator: separator)
            return parts.count == 1 ? text : "(\(text))"
        }
        let middle = parts.startIndex + parts.count / 2
        return "(\(joined(parts[..<middle], separator))\(separator)\(joined(parts[middle...], separator)))"
    }

    /// With the match as part of the condition.
    private func whole() throws -> RowNarrowing {
        guard let match = try names?.condition() else { return self }
        return RowNarrowing(sql: "(\(match.sql) AND \(sql))", match.values + values, isExact: isExact)
    }

    private init?(_ comparison: PredicateComparison, _ context: NarrowingContext) {
        guard case .keyPath(let keys) = comparison.left, keys.count == 1, case .constant(let value) = comparison.right
        else { return nil }
        switch (keys[0], value, comparison.modifier) {
        case ("kMDItemFSSize", .integer(let size), .direct) where size >= 0:
            guard let sign = Self.sign(comparison.comparison) else { return nil }
            self.init(sql: "(row.kind <> 1 AND size \(sign) ?)", [.int(size)], isExact: true)
        case ("kMDItemFSContentChangeDate", .date(let date), .direct):
            // Whole seconds only.
            guard let sign = Self.looseSign(comparison.comparison) else { return nil }
            self.init(sql: "modified \(sign) ?", [.int(date.seconds)])
        case ("kMDItemFSName", .string(let text), .direct), ("kMDItemDisplayName", .string(let text), .direct):
            self.init(name: text, comparison, context.names)
        case (let key, .string, .direct), (let key, .string, .any):
            // What no item has is never equal to, or part of, anything.
            guard !context.knowsDocuments, !ItemMetadata.isKnown(key), Self.needsText(comparison.comparison)
            else { return nil }
            self = .never
        case (let key, .bool(true), .direct) where comparison.comparison == .equal:
            guard let number = SearchPlan.lookup(key), context.lookups.indices.contains(number) else { return nil }
            self.init(rows: context.lookups[number].all)
        default: return nil
        }
    }

    private init(rows: Set<Int64>) {
        guard !rows.isEmpty else {
            self = .never
            return
        }
        // One value, however many there are.
        let list = "[" + rows.sorted().map(String.init).joined(separator: ",") + "]"
        self.init(sql: "id IN (SELECT value FROM json_each(?))", [.text(list)])
        isList = true
    }

    private static func needsText(_ comparison: ComparisonOperator) -> Bool {
        switch comparison {
        case .equal, .contains, .beginsWith, .endsWith, .like, .matches: true
        default: false
        }
    }

    private static func sign(_ comparison: ComparisonOperator) -> String? {
        switch comparison {
        case .equal: "="
        case .less, .lessOrEqual, .greater, .greaterOrEqual: comparison.rawValue
        default: nil
        }
    }

    private static func looseSign(_ comparison: ComparisonOperator) -> String? {
        switch comparison {
        case .equal: "="
        case .less, .lessOrEqual: "<="
        case .greater, .greaterOrEqual: ">="
        default: nil
        }
    }

    /// With case and marks left out on both sides, as the column has them.
    private init?(name text: String, _ comparison: PredicateComparison, _ names: NameLookup?) {
        guard let parts = FoldedParts(text, comparison), !parts.parts.isEmpty else { return nil }
        let tests = parts.parts.map { Self.test(Array($0.utf8), comparison) }
        self.init(all: tests)
        self.names = names.map { lookup in
            NameMatch(tests: parts.parts.map { NameTest(Array($0.utf8), comparison) }, lookup: lookup)
        }
        isExact = comparison.comparison != .like && comparison.options == [.caseInsensitive, .diacriticInsensitive]
        isNamesAlone = isExact
    }

    private static func test(_ part: [UInt8], _ comparison: PredicateComparison) -> RowNarrowing {
        let column = "coalesce(folded, row.name)"
        let length = SQLValue.int(Int64(part.count))
        return switch NameTest(part, comparison).place {
        case .beginning: RowNarrowing(sql: "substr(\(column), 1, ?) = ?", [length, .blob(part)])
        case .end: RowNarrowing(sql: "substr(\(column), -?) = ?", [length, .blob(part)])
        case .whole: RowNarrowing(sql: "\(column) = ?", [.blob(part)])
        case .anywhere: RowNarrowing(sql: "instr(\(column), ?) > 0", [.blob(part)])
        }
    }
}

extension NameTest {
    fileprivate init(_ part: [UInt8], _ comparison: PredicateComparison) {
        let isWordBased = comparison.options.contains(.wordBased)
        let place: Place =
            switch comparison.comparison {
            case .beginsWith where !isWordBased: .beginning
            case .endsWith where !isWordBased: .end
            case .equal: .whole
            default: .anywhere
            }
        self.init(text: part, place: place)
    }
}
