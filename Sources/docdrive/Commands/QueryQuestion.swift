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
            let text = words.joined(separator: " ")
            language = QueryText.detect(text) == .raw ? "a raw query" : "words"
            parts.append(try Self.read { () throws(PredicateSyntaxError) in try QueryText.predicate(text) })
            if QueryText.detect(text) == .raw { warnings = (try? MetadataPredicate.lint(raw: text)) ?? [] }
        }
        if let name {
            let comparison = PredicateComparison(
                .keyPath(["kMDItemFSName"]), .contains, .constant(.string(name)),
                options: [.caseInsensitive, .diacriticInsensitive])
            parts.append(.comparison(comparison))
        }
        predicate = parts.isEmpty ? nil : .all(parts)
        self.language = language
        self.warnings = warnings
        if let unknown = predicate?.unknownAttributes(in: .standard).first {
            throw DriveError(.usage, "\(unknown)")
        }
    }

    private static func read(
        _ body: () throws(PredicateSyntaxError) -> MetadataPredicate
    ) throws(DriveError) -> MetadataPredicate {
        do throws(PredicateSyntaxError) { return try body() } catch {
            throw DriveError(.usage, "the query cannot be read: \(error)")
        }
    }

    /// How it was taken, the whole of it in brackets, and what of it the index decides by itself.
    func explain() {
        Output.line("taken as    \(language)")
        guard let predicate else { return }
        Output.line("means       \(Escaped.text(predicate.predicateFormat))")
        if let sql = NameQuery.sql(of: predicate) {
            Output.line("SQL         \(sql); what is left is looked at one by one")
        } else {
            Output.line("SQL         nothing: every item is looked at")
        }
        for warning in warnings { Output.line("note        column \(warning.column): \(warning.message)") }
    }
}
