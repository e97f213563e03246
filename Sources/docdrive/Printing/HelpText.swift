/// What the parser prints as help, with the examples at its end, where people look for them.
enum HelpText {
    static func examplesLast(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "EXAMPLES") else { return text }
        let end = lines[start...].firstIndex(of: "") ?? lines.endIndex
        var rest = lines[..<start] + lines[end...].drop { $0.isEmpty }
        while rest.last?.isEmpty == true { rest.removeLast() }
        return (rest + [""] + lines[start..<end]).joined(separator: "\n")
    }
}
