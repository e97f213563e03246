/// A word with a dash, such as `-theory` for what is not to be found, in which the parser sees options of one letter each, and
/// among them `-h`.
struct DashedWord {
    let text: String

    /// Nil where help was asked for.
    init?(_ arguments: [String]) {
        let words = arguments.prefix { $0 != "--" }
        guard !words.contains(where: { ["-h", "--help", "-help", "help"].contains($0) }) else { return nil }
        // Two letters may be two options.
        let found = words.first { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 3 && $0.contains("h") }
        guard let found else { return nil }
        text = "\(Escaped.text(found)) is read as options; \(Self.advice)"
    }

    private static let advice = "put `--` before words that begin with a dash"

    /// What the parser says of an unknown option, with what else it may have been.
    static func hint(to text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, first.contains("Unknown option '-"), !first.contains("Unknown option '--") else {
            return text
        }
        return ([first + "; \(advice)"] + lines.dropFirst()).joined(separator: "\n")
    }
}
