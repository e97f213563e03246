extension FindCommand {
    /// Searches as nearly all are: words, the options that take a text, and what is to be printed. The parser looks at all options
    /// of `find` by reflection, which takes longer than a search of a million names.
    ///
    /// Nil for everything else, and for whatever may be a mistake, which the parser then tells of.
    init?(plain arguments: [String]) {
        guard let plain = PlainFind(arguments) else { return nil }
        self.init()
        words = plain.words
        predicate = plain.value("--predicate")
        name = plain.value("--name")
        sort = plain.value("--sort").map { [$0] } ?? []
        limit = plain.limit
        (count, long, nul) = (plain.has("--count"), plain.has("-l"), plain.has("-0"))
        failEmpty = plain.has("--fail-empty")
        output = OutputOptions(json: plain.has("--json"), jsonl: plain.has("--jsonl"))
        (refresh, barrier, live, explain) = (false, false, false, false)
        (batch, save, groupBy, evaluate, extensions) = (nil, nil, nil, nil, nil)
        (kind, size, since, before, state, folder) = (nil, nil, nil, nil, nil, nil)
        do {
            try output.validate()
            try validate()
        } catch { return nil }
    }
}

/// Arguments of `find`, each said once.
private struct PlainFind {
    private(set) var words: [String] = []
    private(set) var limit: Int?
    private var flags: [String] = []
    private var values: [(option: String, value: String)] = []

    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.utf8.first == UInt8(ascii: "-") else {
                words.append(argument)
                continue
            }
            let option = Self.twoDashed.contains(argument) ? "-" + argument : argument
            switch option {
            case "--count", "-l", "-0", "--json", "--jsonl", "--fail-empty":
                guard !has(option) else { return nil }
                flags.append(option)
            case "--name", "--predicate", "--sort", "--limit":
                guard value(option) == nil, let value = rest.popFirst(), value != "--",
                    option == "--name" || value.utf8.first != UInt8(ascii: "-")
                else { return nil }
                values.append((option, value))
            default: return nil
            }
        }
        if let text = value("--limit") {
            guard let number = Int(text) else { return nil }
            limit = number
        }
        // The parser may take it for its own.
        if words.first == "help" { return nil }
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }
    func value(_ option: String) -> String? { values.first { $0.option == option }?.value }

    /// As mdfind has them.
    private static let twoDashed = ["-name", "-count"]
}
