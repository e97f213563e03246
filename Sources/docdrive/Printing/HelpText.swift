import ArgumentParser
import Glibc

/// What the parser prints as help, with the examples at its end, where people look for them, each on a line as a shell needs it:
/// the parser wraps them like any text.
enum HelpText {
    /// Tells the parser of a width that it can wrap to, where the terminal is too narrow for what it indents by: it ends the
    /// process there, or leaves out what the options mean. It looks for COLUMNS, and for the terminal then.
    static func widen() {
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let named = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
        guard let width = named ?? (isKnown ? Int(size.ws_col) : nil), width < fewestColumns else { return }
        setenv("COLUMNS", "\(fewestColumns)", 1)
    }

    private static let fewestColumns = 40

    static func examplesLast(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "EXAMPLES") else { return text }
        let printed = words(lines[start...])
        // Those of a command may begin with all those of the one that it belongs to.
        let fitting = examples(of: Docdrive.self).map { ($0, words($0)) }.filter { printed.starts(with: $0.1) }
        guard let (examples, words) = fitting.max(by: { $0.1.count < $1.1.count }) else { return text }
        var (end, left) = (start, words.count)
        while left > 0 {
            left -= Self.words(lines[end...end]).count
            end += 1
        }
        var rest = lines[..<start] + lines[end...].drop { $0.isEmpty }
        while rest.last?.isEmpty == true { rest.removeLast() }
        return (rest + [""] + examples).joined(separator: "\n")
    }

    /// Of a command and those in it, as they were written.
    private static func examples(of command: any ParsableCommand.Type) -> [ArraySlice<Substring>] {
        let lines = command.configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
        let own = lines.drop { $0 != "EXAMPLES" }.prefix { !$0.isEmpty }
        return (own.isEmpty ? [] : [own]) + command.configuration.subcommands.flatMap(examples)
    }

    private static func words(_ lines: ArraySlice<Substring>) -> [Substring] {
        lines.flatMap { $0.split(separator: " ") }
    }
}
