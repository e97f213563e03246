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
        let plain = (values + parts + request.secrets).filter { !$0.isEmpty }
        secrets = Set(plain.flatMap(Self.spellings)).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// As servers write what they were sent: in URLs, pages and JSON.
    private static func spellings(_ secret: String) -> [String] {
        func encoded(_ isPlain: (Unicode.Scalar) -> Bool, _ code: (Unicode.Scalar) -> String) -> String {
            secret.unicodeScalars.map { isPlain($0) ? String($0) : code($0) }.joined()
        }
        func percent(_ scalar: Unicode.Scalar) -> String {
            String(scalar).utf8.map { byte in
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count < 2 ? "0" : "") + digits
            }.joined()
        }
        let unreserved = encoded({ isAlphanumeric($0) || "-._~".unicodeScalars.contains($0) }, percent)
        let inPath = encoded({ isAlphanumeric($0) || "-._~!$&'()*+,;=:@/".unicodeScalars.contains($0) }, percent)
        let entities = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
        let named = encoded({ entities[String($0)] == nil }) { entities[String($0)] ?? "" }
        let numbered = encoded(isAlphanumeric) { "&#\($0.value);" }
        let someNumbered = encoded({ isAlphanumeric($0) || $0 == " " }) { "&#\($0.value);" }
        let hexadecimal = encoded(isAlphanumeric) { "&#x\(String($0.value, radix: 16));" }
        let json = secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return [
            secret, unreserved, unreserved.lowercasedEscapes, unreserved.replacing("%20", with: "+"), inPath,
            inPath.lowercasedEscapes, named, named.replacing("&#39;", with: "&#x27;"), numbered, someNumbered,
            hexadecimal, json,
            json.replacing("/", with: "\\/"),
        ]
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
    }

    func redacted(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: "...") }
    }
}

extension String {
    /// `%2F` as `%2f`.
    fileprivate var lowercasedEscapes: String {
        var result = ""
        var left = 0
        for character in self {
            result += left > 0 ? character.lowercased() : String(character)
            left = character == "%" ? 2 : max(0, left - 1)
        }
        return result
    }
}
