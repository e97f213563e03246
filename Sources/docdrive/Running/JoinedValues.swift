/// Options and values that one argument joins: `--name=VALUE`.
enum JoinedValues {
    /// A value may begin with a mark that combines, which makes one Character with the sign before it: the parser, which looks
    /// for the sign by Characters, gets such an option and its value apart.
    static func split(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let literal = LiteralValues.places(arguments)
        return arguments[..<end].enumerated()
            .flatMap { literal.contains($0.offset) ? [$0.element] : split($0.element) } + arguments[end...]
    }

    private static func split(_ argument: String) -> [String] {
        let scalars = argument.unicodeScalars
        guard let sign = scalars.firstIndex(of: "="), argument.firstIndex(of: "=") != sign,
            isOption(scalars[..<sign])
        else { return [argument] }
        return [String(scalars[..<sign]), String(scalars[scalars.index(after: sign)...])]
    }

    private static func isOption(_ text: Substring.UnicodeScalarView) -> Bool {
        text.first == "-" && text.allSatisfy { $0 == "-" || ("a"..."z").contains($0) }
    }
}
