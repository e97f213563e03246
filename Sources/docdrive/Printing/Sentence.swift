import DriveCore

/// An error for people: `docdrive: what happened: path: what to do`.
struct Sentence {
    let text: String

    init(_ error: DriveError) {
        var (what, advice) = (error.message[...], Substring())
        // Further lines show what a person wrote.
        if let end = error.message.prefix(while: { $0 != "\n" }).firstIndex(of: ";") {
            what = error.message[..<end]
            advice = error.message[error.message.index(after: end)...].drop { $0 == " " }
        }
        var parts = ["docdrive", Advice.text(Self.lowered(what))]
        if let path = error.path { parts.append(Escaped.text(path)) }
        if !advice.isEmpty { parts.append(Advice.text(String(advice))) }
        text = parts.joined(separator: ": ")
    }

    /// Sentences of the lower layers begin with a capital letter; here it is the middle of one.
    private static func lowered(_ text: Substring) -> String {
        guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return String(text) }
        return first.lowercased() + text.dropFirst()
    }
}
