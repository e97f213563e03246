/// What a server answered, whatever its status.
struct HTTPAnswer: Sendable {
    var status: Int
    var fields: [HTTPField]
    /// Where a range was asked for and the status is 2xx: that part, cut at the end of the resource, also where the
    /// server knows no ranges. Of other answers than 2xx at most the first 64 KiB.
    var body: [UInt8]
    /// What the excerpts leave out.
    let redaction: Redaction

    /// The first field of the name, in any case.
    subscript(_ name: String) -> String? { fields[name] }

    var isSuccess: Bool { (200...299).contains(status) }

    /// Whether the answer says of itself that it is a page for people. Some servers say so of nothing at all.
    var isPage: Bool { saysPage && !body.isEmpty }

    /// The same of an answer that should be an object: what was asked for of it may be empty, the page was not.
    var saysPage: Bool { self["Content-Type"]?.lowercased().hasPrefix("text/html") == true }

    /// What the server says of a refusal, fit for a message: without markup, control characters and secrets, and short.
    var excerpt: String { printable(Excerpt.withoutMarkup(body)) }

    /// Any text of the server's, fit for a message.
    func printable(_ text: String) -> String { Excerpt.short(redaction.redacted(text)) }
}
