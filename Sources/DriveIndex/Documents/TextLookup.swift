import DrivePredicates

/// Comparisons of the text of documents.
///
/// The index knows words. What is looked for is cut into words too: inner ones stand in a text as they are, the first may be
/// the end of a longer word and the last the beginning of one. Whether what is between them is the same as well, the text
/// itself has to tell.
struct TextLookup {
    let index: SearchIndex
    private let traits = TraitRows()

    init(index: SearchIndex) { self.index = index }

    func candidates(_ comparison: PredicateComparison, _ value: PredicateValue) throws -> DocumentCandidates? {
        if case .notEqual = comparison.comparison, value.isNull {
            return DocumentCandidates(sure: try rows(withTrait: 1))
        }
        guard case .string(let text) = value, let parts = FoldedParts(text, comparison) else { return nil }
        var found: Set<Int64>?
        for part in parts.parts {
            guard let rows = try rows(containing: TextWords(folded: part)) else { continue }
            found = found?.intersection(rows) ?? rows
        }
        guard let found else { return nil }
        let sure = try sureRows(parts, found)
        let uncut = try rows(withTrait: 4)
        return DocumentCandidates(sure: sure, maybe: found.union(uncut).subtracting(sure))
    }

    /// Those of the rows whose words alone say that they fulfil the comparison.
    private func sureRows(_ parts: FoldedParts, _ found: Set<Int64>) throws -> Set<Int64> {
        guard let place = parts.place else { return [] }
        let cut = TextWords(folded: parts.parts[0])
        guard cut.words.count == 1, !cut.hasLong, cut.words[0].text == parts.parts[0] else { return [] }
        var rows = found
        if place != .anywhere {
            rows = try matching("\"\(cut.words[0].text)\"" + (place == .beginningOfWord ? " *" : ""))
        }
        guard parts.isWordBased else { return rows }
        return rows.intersection(try self.rows(withTrait: 8))
    }

    /// Nil where the words say nothing.
    private func rows(containing cut: TextWords) throws -> Set<Int64>? {
        guard !cut.hasLong, let first = cut.words.first, let last = cut.words.last else { return nil }
        let behind = last.isClosedBehind ? "" : " *"
        if first.isClosedBefore { return try matching(Self.phrase(cut.words) + behind) }
        let rest = cut.words.dropFirst()
        let beginnings = try words(ending: !rest.isEmpty || first.isClosedBehind, with: String(first.text))
        return try rows(with: beginnings, and: rest.isEmpty ? nil : Self.phrase(rest) + behind)
    }

    /// Texts with any of the words. Many at a time, but not so many that SQLite has to parse for long.
    private func rows(with words: [String], and phrase: String?) throws -> Set<Int64> {
        var result: Set<Int64> = []
        for start in stride(from: 0, to: words.count, by: 250) {
            let some = words[start..<min(start + 250, words.count)].map { "\"\($0)\"" }.joined(separator: " OR ")
            result.formUnion(try matching(phrase.map { "(\(some)) AND \($0)" } ?? some))
        }
        return result
    }

    /// The words of all texts that hold this, or end with it.
    private func words(ending: Bool, with text: String) throws -> [String] {
        var sql = "SELECT text FROM word WHERE instr(text, ?) > 0"
        var values: [SQLValue] = [.text(text)]
        if let pieces = Trigrams.query(text) {
            sql = """
                SELECT word.text FROM wordIndex JOIN word ON id = wordIndex.rowid
                WHERE wordIndex MATCH ? AND instr(word.text, ?) > 0
                """
            values.insert(.text(pieces), at: 0)
        }
        var result: [String] = []
        try index.connection.each(sql, values) {
            let word = $0.text(0)
            if !ending || word.utf8.reversed().starts(with: text.utf8.reversed()) { result.append(word) }
            return true
        }
        return result
    }

    private static func phrase(_ words: some Sequence<TextWords.Word>) -> String {
        "\"" + words.map { String($0.text) }.joined(separator: " ") + "\""
    }

    private func matching(_ query: String) throws -> Set<Int64> {
        try index.withTwins(try rows("SELECT rowid FROM textIndex WHERE textIndex MATCH ?", [.text(query)]))
    }

    private func rows(withTrait bit: Int) throws -> Set<Int64> {
        if let known = traits.rows[bit] { return known }
        let found = try rows("SELECT row FROM document WHERE traits & \(bit) <> 0")
        traits.rows[bit] = found
        return found
    }

    private func rows(_ sql: String, _ values: [SQLValue] = []) throws -> Set<Int64> {
        var result: Set<Int64> = []
        try index.connection.each(sql, values) {
            result.insert($0.int(0))
            return true
        }
        return result
    }
}

/// Documents by their traits, which each word of a query asks for, and which take a look at all of them.
private final class TraitRows {
    var rows: [Int: Set<Int64>] = [:]
}

/// Pieces of three letters, which FTS5 finds wherever they are in a text.
enum Trigrams {
    /// Nil for what is too short to have any.
    static func query(_ folded: String) -> String? {
        let scalars = Array(folded.unicodeScalars)
        guard scalars.count >= 3 else { return nil }
        var seen: Set<String> = []
        var pieces: [String] = []
        for start in 0...(scalars.count - 3) where pieces.count < most {
            let piece = String(String.UnicodeScalarView(scalars[start..<(start + 3)]))
            if seen.insert(piece).inserted { pieces.append("\"" + piece.replacing("\"", with: "\"\"") + "\"") }
        }
        return pieces.joined(separator: " AND ")
    }

    /// More of them hardly narrow further.
    private static let most = 16
}
