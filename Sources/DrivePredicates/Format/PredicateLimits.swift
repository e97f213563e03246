/// What a query may measure, so that no text can exhaust the stack or take long.
enum PredicateLimits {
    /// In UTF-8.
    static let length = 1 << 18
    /// Trees higher than this are refused. Everything that walks a tree recurs once for each step.
    static let height = 200
    /// Brackets in brackets; more than the height, because some values are printed with brackets of their own.
    static let nesting = 256
    /// Parentheses in raw queries and words. Each level may be an OR, an AND and a NOT of the tree.
    static let groups = 60
    static let warnings = 16

    static func scalars(of text: String) throws(PredicateSyntaxError) -> [Unicode.Scalar] {
        guard text.utf8.count <= length else {
            throw PredicateSyntaxError(
                "a query may have \(length) bytes, this has \(text.utf8.count)", text: "", column: 1)
        }
        return Array(text.unicodeScalars)
    }
}
