/// Text from outside, made fit for a message.
enum Excerpt {
    static let longest = 200

    /// One line of at most 200 characters without control characters (U+0000 to U+001F, U+007F to U+009F) and those
    /// that turn the direction of text.
    static func short(_ text: String) -> String {
        var result = ""
        var isGap = false
        for character in text.prefix(longest * 8) {
            if character.isWhitespace || character.unicodeScalars.contains(where: isControl) {
                isGap = !result.isEmpty
                continue
            }
            if isGap { result.append(" ") }
            isGap = false
            result.append(character)
        }
        return result.count <= longest ? result : result.prefix(longest - 3) + "..."
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The text between the tags of XML or HTML, without what scripts and styles hold.
    static func withoutMarkup(_ bytes: [UInt8]) -> String {
        var result = ""
        var rest = String(decoding: bytes.prefix(4096), as: UTF8.self)[...]
        while let open = rest.firstIndex(of: "<") {
            result += rest[..<open] + " "
            rest = rest[open...]
            let start = rest.prefix(7).lowercased()
            let end = start.hasPrefix("<!--") ? "-->" : ">"
            let isSilent = start.hasPrefix("<script") || start.hasPrefix("<style")
            if isSilent, let close = rest.firstRange(of: "</") { rest = rest[close.lowerBound...] }
            guard let close = rest.firstRange(of: end) else { return result }
            rest = rest[close.upperBound...]
        }
        return result + rest
    }
}

/// What must never be shown, though a server repeats it.
struct Redaction: Sendable {
    private var secrets: [String] = []

    private static let fields = ["authorization", "proxy-authorization", "x-amz-security-token", "cookie"]

    init(_ request: HTTPRequest) {
        let values = request.fields.filter { Self.fields.contains($0.name.lowercased()) }.map(\.value)
        // `Basic` and the like are no secrets; what follows them is.
        let parts = values.flatMap { value in value.split(separator: " ").map(String.init).filter { $0.count > 7 } }
        secrets = (values + parts + request.secrets).filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    func redacted(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: "...") }
    }
}
