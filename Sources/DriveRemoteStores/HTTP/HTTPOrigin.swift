/// Who is asked: scheme, host and port (RFC 6454). Credentials of one origin never go to another.
struct HTTPOrigin: Hashable, Sendable {
    enum Scheme: String, Hashable, Sendable {
        case http, https

        var port: UInt16 { self == .http ? 80 : 443 }
    }

    var scheme: Scheme
    /// In lower case; of an IPv6 address without its brackets.
    var host: String
    var port: UInt16

    init(_ scheme: Scheme, host: String, port: UInt16? = nil) {
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port ?? scheme.port
    }

    /// The origin of an absolute URL and what follows it there; nil where it is none of HTTP, or has a user in it.
    static func parse(_ url: String) -> (origin: HTTPOrigin, rest: String)? {
        guard let mark = url.range(of: "://"), let scheme = Scheme(rawValue: url[..<mark.lowerBound].lowercased())
        else {
            return nil
        }
        let text = url[mark.upperBound...]
        let end = text.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
        guard let (host, port) = hostAndPort(text[..<end]) else { return nil }
        return (HTTPOrigin(scheme, host: host, port: port), String(text[end...]))
    }

    static func hostAndPort(_ text: Substring) -> (host: String, port: UInt16?)? {
        var host = text
        var port: UInt16?
        let afterBracket = text.hasPrefix("[") ? text.firstIndex(of: "]") : text.startIndex
        guard let afterBracket else { return nil }
        if let colon = text[afterBracket...].lastIndex(of: ":") {
            let digits = text[text.index(after: colon)...]
            host = text[..<colon]
            if !digits.isEmpty {
                guard let number = UInt16(digits), number > 0 else { return nil }
                port = number
            }
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        let isPossible = host.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                || [0x2D, 0x2E, 0x3A, 0x5F].contains(byte)
        }
        return isPossible && !host.isEmpty ? (String(host), port) : nil
    }

    /// What the Host field says (RFC 9110, section 7.2): the port only where it is not the scheme's own.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == scheme.port ? name : "\(name):\(port)"
    }
}

extension HTTPOrigin: CustomStringConvertible {
    var description: String { "\(scheme.rawValue)://\(authority)" }
}
