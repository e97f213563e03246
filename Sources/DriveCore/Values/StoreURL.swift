/// Where a store is that is reached over a network: `SCHEME://[USER@]HOST[:PORT]/PATH[?NAME=VALUE&...]` (RFC 3986).
///
/// It is written down, shown and passed on as it is, so there is no place in it for a password.
public struct StoreURL: Hashable, Sendable {
    public enum Scheme: String, Hashable, Sendable, CaseIterable { case s3, webdav, webdavs, sftp }

    public var scheme: Scheme
    public var user: String?
    /// In lower case; of an IPv6 address without its brackets; for S3 the bucket.
    public var host: String
    public var port: UInt16?
    /// Decoded, without slashes at its ends, never with an empty, `.` or `..` component.
    public var path: String
    /// Decoded; no name twice.
    public var options: [String: String]

    public init(
        _ scheme: Scheme, user: String? = nil, host: String, port: UInt16? = nil, path: String = "",
        options: [String: String] = [:]
    ) {
        self.scheme = scheme
        self.user = user
        self.host = host
        self.port = port
        self.path = path
        self.options = options
    }

    /// Throws `usage` with what is wrong. The message never repeats a password.
    public init(_ text: String) throws(DriveError) {
        let parts = try Self.parts(text)
        guard let scheme = Scheme(rawValue: parts.scheme) else {
            let known = Scheme.allCases.map { "\($0.rawValue)://" }.joined(separator: ", ")
            throw DriveError(
                .usage, "a store of the kind `\(parts.scheme)` is not known; use a folder's path, file://, \(known)")
        }
        self.scheme = scheme
        user = try parts.user.map { field throws(DriveError) in try Self.decoded(field, "user") }
        (host, port) = try Self.place(parts.place, text: Self.withoutPassword(text))
        path = try Self.path(parts.path)
        options = try Self.options(parts.query)
    }

    /// As it is recorded; reads back as the same value.
    public var text: String {
        var text = "\(scheme.rawValue)://"
        if let user { text += PercentEncoding.text(user.utf8).replacing("/", with: "%2F") + "@" }
        text += host.contains(":") ? "[\(host)]" : host
        if let port { text += ":\(port)" }
        if !path.isEmpty { text += "/" + PercentEncoding.text(path.utf8) }
        // Colons and slashes may stand in a query (RFC 3986, section 3.4).
        let fields = options.sorted { $0.key < $1.key }.map { name, value in
            "\(PercentEncoding.text(name.utf8))=\(PercentEncoding.text(value.utf8).replacing("%3A", with: ":"))"
        }
        return fields.isEmpty ? text : text + "?" + fields.joined(separator: "&")
    }

    /// For messages before it is known to be possible: of an option with another name, and of one with a user in it, the
    /// value is left out, since it may be a secret.
    public func text(showing known: [String]) -> String {
        var url = self
        for (name, value) in options where !known.contains(name) || value.contains("@") { url.options[name] = "..." }
        return url.text
    }

    /// As people see it, whether or not it is possible.
    public var shown: String { text(showing: Self.optionNames) }

    /// Of all kinds of stores.
    private static let optionNames = ["ca", "endpoint", "profile", "region", "style"]

    /// What its slashes divide the path into; none where it is empty.
    public var components: [String] { path.unicodeScalars.split(separator: "/").map(String.init) }

    /// Throws `usage` where an option is none of those that this kind of store knows.
    public func checkOptions(_ known: [String]) throws(DriveError) {
        for name in options.keys.sorted() where !known.contains(name) {
            let list = known.isEmpty ? "it knows none" : "known are \(known.joined(separator: ", "))"
            throw DriveError(
                .usage, "`\(name)` is no option of \(scheme.rawValue)://; \(list)",
                path: text(showing: known))
        }
    }
}

extension StoreURL: CustomStringConvertible {
    public var description: String { text }
}

// Reading. By scalars, not characters: a mark that combines with a delimiter before it makes another character of it.
extension StoreURL {
    private typealias Scalars = Substring.UnicodeScalarView

    private struct Parts {
        var scheme = ""
        var user: Scalars?
        var place = Scalars()
        var path = Scalars()
        var query = Scalars()
    }

    private static func parts(_ text: String) throws(DriveError) -> Parts {
        var parts = Parts()
        guard var rest = rest(of: text) else {
            throw DriveError(.usage, "this is no URL; write SCHEME://HOST/PATH", path: withoutPassword(text))
        }
        parts.scheme = text.unicodeScalars.prefix { $0 != ":" }.map(String.init).joined().lowercased()
        if rest.contains("#") {
            throw DriveError(
                .usage, "a store's URL has no part after `#`; write %23 for it", path: withoutPassword(text))
        }
        if let mark = rest.firstIndex(of: "?") {
            parts.query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        (parts.place, parts.path) = (rest[..<slash], rest[slash...])
        if let at = parts.place.lastIndex(of: "@") {
            parts.user = parts.place[..<at]
            parts.place = parts.place[parts.place.index(after: at)...]
        }
        if parts.user?.contains(":") == true {
            throw DriveError(
                .usage,
                "a URL is no place for a password, which others can read there; leave it out, and docdrive asks for it",
                path: withoutPassword(text))
        }
        return parts
    }

    private static func place(_ place: Scalars, text: String) throws(DriveError) -> (String, UInt16?) {
        var host = place
        var port: UInt16?
        let end = place.first == "[" ? place.firstIndex(of: "]") ?? place.startIndex : place.startIndex
        if let colon = place[end...].lastIndex(of: ":") {
            let digits = place[place.index(after: colon)...]
            guard digits.allSatisfy({ ("0"..."9").contains($0) }), let number = UInt16(Substring(digits)), number > 0
            else {
                throw DriveError(.usage, "the port is a number from 1 to 65535; correct the URL", path: text)
            }
            port = number
            host = place[..<colon]
        }
        if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
        // A name that begins with a hyphen would be an option to the programs that it is given to.
        guard host.allSatisfy(isOfName), !host.isEmpty, host.first != "-" else {
            throw DriveError(.usage, "the host's name is not possible; correct the URL", path: text)
        }
        return (String(host).lowercased(), port)
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", ":", "_": true
        default: false
        }
    }

    private static func path(_ text: Scalars) throws(DriveError) -> String {
        var components: [String] = []
        for part in text.split(separator: "/") {
            let name = try decoded(part, "path")
            guard name != ".", name != "..", !name.unicodeScalars.contains("/") else {
                throw DriveError(.usage, "the path of a store's URL has no `.` and `..` in it; correct it")
            }
            components.append(name)
        }
        return components.joined(separator: "/")
    }

    private static func options(_ query: Scalars) throws(DriveError) -> [String: String] {
        var options: [String: String] = [:]
        for field in query.split(separator: "&") {
            guard let sign = field.firstIndex(of: "=") else {
                // It may be the end of a password with a question mark in it.
                let what = field.contains("@") ? "what stands after the `?`" : "`\(Substring(field))`"
                throw DriveError(.usage, "\(what) is no option; write NAME=VALUE after the `?`")
            }
            let name = try decoded(field[..<sign], "options")
            guard options[name] == nil else { throw DriveError(.usage, "the option `\(name)` is given twice") }
            options[name] = try decoded(field[field.index(after: sign)...], "options")
        }
        return options
    }

    private static func decoded(_ text: Scalars, _ what: String) throws(DriveError) -> String {
        guard let bytes = PercentEncoding.bytes(Substring(text).utf8),
            let result = String(validating: bytes, as: UTF8.self),
            !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { throw DriveError(.usage, "the \(what) of the URL cannot be read; write %25 for `%`") }
        return result
    }

    /// What stands after `SCHEME://`; nil where nothing does.
    private static func rest(of text: String) -> Scalars? {
        let scalars = text.unicodeScalars[...]
        guard let colon = scalars.firstIndex(of: ":"), scalars[colon...].starts(with: "://".unicodeScalars) else {
            return nil
        }
        return scalars[colon...].dropFirst(3)
    }

    /// For messages, whatever was given. A slash in a password seems to end the host, so all up to the last `@` goes; so do
    /// the values of options.
    private static func withoutPassword(_ text: String) -> String {
        let rest = rest(of: text) ?? text.unicodeScalars[...]
        guard let mark = rest.firstIndex(of: ":"), let at = rest.lastIndex(of: "@"), mark < at else {
            guard let query = text.unicodeScalars.firstIndex(of: "?") else { return text }
            return text[..<query] + withoutValues(text[query...])
        }
        return text[..<mark] + ":..." + withoutValues(text[at...])
    }

    private static func withoutValues(_ text: Substring) -> String {
        let fields = text.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false)
        return fields.map { field in
            field.firstIndex(of: "=").map { String(Substring(field[...$0])) + "..." } ?? String(Substring(field))
        }.joined(separator: "&")
    }
}
