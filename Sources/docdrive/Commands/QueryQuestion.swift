import DriveCore
import DriveIndex
import DrivePredicates

/// The query of a command line, understood.
struct QueryQuestion {
    /// Nil where nothing is asked: then everything is found.
    let predicate: MetadataPredicate?
    private let language: String
    private let warnings: [PredicateWarning]

    /// Throws with the place of what cannot be understood, and for attributes that there are not.
    init(words: [String], predicate format: String?, name: String?) throws(DriveError) {
        var parts: [MetadataPredicate] = []
        var warnings: [PredicateWarning] = []
        var language = "nothing is asked"
        if let format {
            language = "a predicate"
            parts.append(try Self.read { () throws(PredicateSyntaxError) in try MetadataPredicate(format: format) })
            warnings = (try? MetadataPredicate.lint(format: format)) ?? []
        } else if !words.isEmpty {
            let text = words.count == 1 ? words[0] : words.joined(separator: " ")
            language = QueryText.detect(text) == .raw ? "a raw query" : "words"
            parts.append(try Self.read { () throws(PredicateSyntaxError) in try QueryText.predicate(text) })
            if QueryText.detect(text) == .raw { warnings = (try? MetadataPredicate.lint(raw: text)) ?? [] }
        }
        if let name, let predicate = NameQuery(nameContaining: name).predicate { parts.append(predicate) }
        predicate = parts.isEmpty ? nil : .all(parts)
        self.language = language
        self.warnings = warnings
        if let unknown = predicate?.unknownAttributes(in: .standard).first {
            let isMeant = format == nil ? "quote it to look for the words as they are: '\"...\"'" : AttributeWord.list
            throw DriveError(.usage, unknown.isHinted ? "\(unknown)" : "\(unknown); \(isMeant)")
        }
    }

    private init(_ predicate: MetadataPredicate?, _ language: String, _ warnings: [PredicateWarning]) {
        self.predicate = predicate
        self.language = language
        self.warnings = warnings
    }

    /// Both of them.
    func and(_ other: QueryQuestion) -> QueryQuestion {
        let parts = [predicate, other.predicate].compactMap { $0 }
        let language = predicate == nil ? other.language : "\(other.language), and \(self.language)"
        return QueryQuestion(parts.isEmpty ? nil : .all(parts), language, warnings + other.warnings)
    }

    private static func read(
        _ body: () throws(PredicateSyntaxError) -> MetadataPredicate
    ) throws(DriveError) -> MetadataPredicate {
        do throws(PredicateSyntaxError) { return try body() } catch {
            throw DriveError(.usage, "the query cannot be read: \(error.text { Escaped.text($0) })")
        }
    }

    /// It can only be answered by what was read out of documents.
    var asksDocuments: Bool { predicate.map(NameQuery.asksDocuments) ?? false }

    /// How it was taken, the whole of it in brackets, what else is asked, and what of it the indexes decide by themselves.
    func explain(_ explanation: SearchExplanation?, filters: [String]) {
        let isFilterAlone = predicate == nil && !filters.isEmpty
        Output.line("taken as    \(isFilterAlone ? "filters alone" : language)")
        if let predicate { Output.line("means       \(Escaped.text(predicate.predicateFormat))") }
        for filter in filters { Output.line("filter      \(filter)") }
        if predicate != nil || !filters.isEmpty { explainSearch(explanation, isFiltered: !filters.isEmpty) }
        for warning in warnings { Output.line("note        column \(warning.column): \(warning.message)") }
    }

    private func explainSearch(_ explanation: SearchExplanation?, isFiltered: Bool) {
        if let explanation {
            for lookup in explanation.lookups {
                Output.line(
                    "documents   #\(lookup.number) is \(Escaped.text(lookup.format)): \(lookup.sure) by the search index, "
                        + "\(lookup.maybe) to be looked at")
            }
            for sql in explanation.sql { Output.line("SQL         \(sql)") }
            if !explanation.isExact { Output.line("then        what is left is looked at one by one") }
            for step in explanation.steps { Output.line("SQLite      \(step)") }
        } else if let predicate {
            let sql = NameQuery.sql(of: predicate).map { "\($0); what is left is looked at one by one" }
            let rest = isFiltered ? "every item that the filters leave" : "every item"
            Output.line("SQL         \(sql ?? "nothing: \(rest) is looked at")")
        }
    }
}
