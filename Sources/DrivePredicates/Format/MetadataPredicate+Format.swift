extension MetadataPredicate {
    /// Reads a predicate format as NSPredicate's, with the values for its placeholders in order.
    ///
    /// Of a mixed chain without parentheses, NOT is taken first, then AND, then OR. Values never become part of the text:
    /// what stands in an argument cannot change what the predicate means.
    public init(format: String, arguments: [PredicateValue] = []) throws(PredicateSyntaxError) {
        var parser = try FormatParser(format, arguments: arguments)
        self = try parser.parse()
    }

    /// What in a format may not mean what it seems to; of a format that cannot be read, the error.
    public static func lint(format: String, arguments: [PredicateValue] = []) throws(PredicateSyntaxError)
        -> [PredicateWarning]
    {
        var parser = try FormatParser(format, arguments: arguments)
        _ = try parser.parse()
        return parser.warnings
    }
}
