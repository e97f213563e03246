import ArgumentParser
import DrivePredicates

/// A first word that names no command: the parser would tell of whatever follows it.
struct UnknownCommand {
    var text: String

    /// Nil where the first word names a command, or is none. What stands behind `help` is a command's name too.
    init?(_ arguments: [String]) {
        if arguments.first == "help" {
            if let unknown = UnknownCommand(Array(arguments.dropFirst()))
                ?? UnknownCommand(within: arguments.dropFirst())
            {
                text = unknown.text
                return
            }
            return nil
        }
        guard let word = arguments.first, !word.isEmpty, !word.hasPrefix("-") else { return nil }
        var commands: [String] = []
        var inner: [String] = []
        for command in Docdrive.configuration.subcommands {
            let names = Self.names(command)
            if names.contains(word) { return nil }
            commands += names
            for subcommand in command.configuration.subcommands where Self.names(subcommand).contains(word) {
                inner.append(names[0] + " " + word)
            }
        }
        let begun = commands.filter { $0.hasPrefix(word) }
        let meant = inner + (begun.isEmpty ? NearestNames.nearest(to: word, in: commands) : begun)
        let hint = meant.prefix(3).map { "`docdrive \($0)`" }.joined(separator: " or ")
        text =
            "there is no command '\(Escaped.text(word))'"
            + (hint.isEmpty ? "; `docdrive help` lists them" : "; did you mean \(hint)?")
    }

    /// Of `help conflicts nonsense`.
    private init?(within words: ArraySlice<String>) {
        guard let outer = words.first, let word = words.dropFirst().first, !word.hasPrefix("-"),
            let command = Docdrive.configuration.subcommands.first(where: { Self.names($0).contains(outer) }),
            !command.configuration.subcommands.contains(where: { Self.names($0).contains(word) })
        else { return nil }
        text = "there is no command '\(outer) \(Escaped.text(word))'; `docdrive help \(outer)` tells of it"
    }

    private static func names(_ command: any ParsableCommand.Type) -> [String] {
        let configuration = command.configuration
        return [configuration.commandName ?? ""] + configuration.aliases
    }
}
