/// One question as a line of JSON, for scripts and bug reports:
///
///     {"format": "name LIKE[c] %@ AND due < %@", "args": ["b*", {"$date": "2026-01-01T00:00:00Z"}], "object": {"name": "Brown"}}
///
/// `object` may also be a list or a single value, which SELF then is.
public struct EvaluationLine: Sendable {
    public let format: String
    public let arguments: [PredicateValue]
    public let object: PredicateValue

    public init(_ line: String) throws {
        guard case .dictionary(let fields) = try JSONReader.value(line) else {
            throw JSONReader.Fault(description: "the line is no JSON object")
        }
        guard case .string(let format)? = fields["format"] else {
            throw JSONReader.Fault(description: "\"format\" is missing or no string")
        }
        switch fields["args"] {
        case nil, .null?: arguments = []
        case .list(let values)?: arguments = values
        default: throw JSONReader.Fault(description: "\"args\" is no list")
        }
        self.format = format
        object = fields["object"] ?? .null
    }

    /// What the predicate says of the object.
    public func evaluate(_ context: EvaluationContext = EvaluationContext()) throws -> Bool {
        try MetadataPredicate(format: format, arguments: arguments).evaluate(object, context)
    }

    /// `true`, `false`, or `error:` and why, in one line.
    public static func answer(to line: String, _ context: EvaluationContext = EvaluationContext()) -> String {
        do { return try EvaluationLine(line).evaluate(context) ? "true" : "false" } catch {
            if let error = error as? PredicateSyntaxError {
                return "error: column \(error.column): \(oneLine(error.message))"
            }
            return "error: \(oneLine("\(error)"))"
        }
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
