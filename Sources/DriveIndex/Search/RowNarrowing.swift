import DriveCore
import DrivePredicates

/// What SQLite can say about a predicate from the columns of a row alone: a condition that holds for every row for which the
/// predicate holds, and for few others. The evaluator decides about those that are left.
///
/// Values are bound, never put into the text.
struct RowNarrowing {
    var sql: String
    var values: [SQLValue] = []

    /// Nil where nothing can be said.
    init?(_ predicate: MetadataPredicate) {
        switch predicate {
        case .constant(false): self.init(sql: "0")
        case .constant(true), .not: return nil
        case .and(let parts):
            let narrowed = parts.compactMap { RowNarrowing($0) }
            guard !narrowed.isEmpty else { return nil }
            self.init(joining: narrowed, " AND ")
        case .or(let parts):
            let narrowed = parts.compactMap { RowNarrowing($0) }
            guard narrowed.count == parts.count else { return nil }
            self.init(joining: narrowed, " OR ")
        case .comparison(let comparison): self.init(comparison)
        }
    }

    private init(sql: String, _ values: [SQLValue] = []) {
        self.sql = sql
        self.values = values
    }

    private init(joining parts: [RowNarrowing], _ separator: String) {
        sql = "(" + parts.map(\.sql).joined(separator: separator) + ")"
        values = parts.flatMap(\.values)
    }

    private init?(_ comparison: PredicateComparison) {
        guard case .keyPath(let keys) = comparison.left, keys.count == 1, case .constant(let value) = comparison.right
        else { return nil }
        switch (keys[0], value, comparison.modifier) {
        case ("kMDItemFSSize", .integer(let size), .direct) where size >= 0:
            guard let sign = Self.sign(comparison.comparison) else { return nil }
            self.init(sql: "(row.kind <> 1 AND size \(sign) ?)", [.int(size)])
        case ("kMDItemFSContentChangeDate", .date(let date), .direct):
            // Whole seconds only.
            guard let sign = Self.looseSign(comparison.comparison) else { return nil }
            self.init(sql: "modified \(sign) ?", [.int(date.seconds)])
        case ("kMDItemFSName", .string(let text), .direct), ("kMDItemDisplayName", .string(let text), .direct):
            self.init(name: text, comparison.comparison, comparison.options)
        case (let key, .string, .direct), (let key, .string, .any):
            // What no item has is never equal to, or part of, anything.
            guard !ItemMetadata.isKnown(key), Self.needsText.contains(comparison.comparison) else { return nil }
            self.init(sql: "0")
        default: return nil
        }
    }

    private static let needsText: Set<ComparisonOperator> = [
        .equal, .contains, .beginsWith, .endsWith, .like, .matches,
    ]

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

    /// With case and marks left out on both sides, as the column has them. Words are looked for as what they are within the
    /// name at least.
    private init?(name text: String, _ comparison: ComparisonOperator, _ options: ComparisonOptions) {
        guard options.isSubset(of: [.caseInsensitive, .diacriticInsensitive, .wordBased]), !text.isEmpty,
            !text.contains("\u{FFFD}")
        else { return nil }
        let folded = NameFolding.folded(Array(text.utf8))
        let column = "coalesce(folded, row.name)"
        let isWhole = options.contains(.caseInsensitive) && options.contains(.diacriticInsensitive)
        // What is equal with its case is equal without.
        guard isWhole || text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        switch comparison {
        case .contains where !options.contains(.wordBased):
            self.init(sql: "instr(\(column), ?) > 0", [.blob(folded)])
        case .beginsWith where !options.contains(.wordBased):
            self.init(sql: "substr(\(column), 1, ?) = ?", [.int(Int64(folded.count)), .blob(folded)])
        case .endsWith where !options.contains(.wordBased):
            self.init(sql: "substr(\(column), -?) = ?", [.int(Int64(folded.count)), .blob(folded)])
        case .equal: self.init(sql: "\(column) = ?", [.blob(folded)])
        default: return nil
        }
    }
}
