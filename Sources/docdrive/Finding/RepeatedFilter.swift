/// An option of `find` that says what is looked for, given more than once: the parser takes the last and drops the others without
/// a word.
struct RepeatedFilter {
    let text: String

    /// Nil where there is none. `arguments` begin with the command.
    init?(_ arguments: [String]) {
        guard arguments.first == FindCommand.configuration.commandName else { return nil }
        var seen: Set<String> = []
        var rest = arguments.dropFirst().prefix { $0 != "--" }
        while let argument = rest.popFirst() {
            // Its value may be `-name`.
            if argument == "--sort" {
                _ = rest.popFirst()
                continue
            }
            let (name, isJoined) = Self.split(argument)
            guard Self.options.contains(name) else { continue }
            if !isJoined { _ = rest.popFirst() }
            if seen.insert(name).inserted { continue }
            text = "--\(name) is given twice, and only one can hold; give it once" + (Self.hints[name] ?? "")
            return
        }
        return nil
    }

    private static func split(_ argument: String) -> (name: String, isJoined: Bool) {
        guard argument.hasPrefix("-") else { return ("", false) }
        let name = argument.drop { $0 == "-" }
        let dashes = argument.count - name.count
        guard let sign = name.firstIndex(of: "=") else {
            return (dashes == 2 || oneDashed.contains(String(name)) ? String(name) : "", false)
        }
        return (dashes == 2 ? String(name[..<sign]) : "", true)
    }

    private static let oneDashed: Set<String> = ["name", "onlyin"]
    private static let options: Set<String> = [
        "name", "onlyin", "predicate", "ext", "kind", "size", "since", "before", "state", "limit", "group-by", "batch",
        "save",
    ]
    private static let hints = [
        "ext": ", with a comma between endings", "state": ", with a comma between states",
        "kind": ", or ask `kind:` among the words: 'kind:file | kind:link'",
        "onlyin": ", or ask once for each folder",
    ]
}
