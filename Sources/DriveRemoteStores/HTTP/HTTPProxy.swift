import AsyncHTTPClient
import DriveCore

/// The proxy that the environment names for an origin, by the variables that curl and most others read: HTTP_PROXY,
/// HTTPS_PROXY, ALL_PROXY and NO_PROXY, also in lower case, which comes first. A proxy is asked for a tunnel (CONNECT) whatever
/// the scheme.
enum HTTPProxy {
    /// Nil for a direct connection.
    static func forOrigin(
        _ origin: HTTPOrigin, _ environment: [String: String]
    ) throws(DriveError) -> HTTPClient.Configuration.Proxy? {
        guard let (variable, text) = first(variables(origin), environment), !isExempt(origin, environment) else {
            return nil
        }
        return try proxy(text, variable)
    }

    private static func variables(_ origin: HTTPOrigin) -> [String] {
        ["\(origin.scheme.rawValue)_proxy", "all_proxy"]
    }

    /// The one that it stands in.
    static func variable(_ origin: HTTPOrigin, _ environment: [String: String]) -> String {
        first(variables(origin), environment)?.0 ?? "\(origin.scheme.rawValue.uppercased())_PROXY"
    }

    private static func first(_ names: [String], _ environment: [String: String]) -> (String, String)? {
        for name in names.flatMap({ [$0, $0.uppercased()] }) {
            if let value = environment[name], !value.isEmpty { return (name, value) }
        }
        return nil
    }

    /// Names in NO_PROXY stand for themselves and for everything below them; `*` for all; addresses only for themselves, and with
    /// `/LENGTH` for all that begin alike.
    static func isExempt(_ origin: HTTPOrigin, _ environment: [String: String]) -> Bool {
        guard let (_, list) = first(["no_proxy"], environment) else { return false }
        let isAddress = AddressBlock(origin.host[...]) != nil
        return list.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
            if entry == "*" { return true }
            if let block = AddressBlock(entry) { return block.contains(origin.host) }
            guard let (host, port) = HTTPOrigin.hostAndPort(entry.hasPrefix(".") ? entry.dropFirst() : entry) else {
                return false
            }
            guard port == nil || port == origin.port else { return false }
            // An IPv6 address stands there with or without brackets.
            return origin.host == host || origin.host == entry || !isAddress && origin.host.hasSuffix(".\(host)")
        }
    }

    /// The variable may hold a password, so no message shows it.
    private static func proxy(_ text: String, _ variable: String) throws(DriveError) -> HTTPClient.Configuration.Proxy {
        let mark = text.range(of: "://")
        let scheme = mark.map { text[..<$0.lowerBound].lowercased() } ?? "http"
        var place = text[(mark?.upperBound ?? text.startIndex)...].prefix { $0 != "/" }
        var user: Substring?
        if let at = place.lastIndex(of: "@") {
            user = place[..<at]
            place = place[place.index(after: at)...]
        }
        guard let (host, port) = HTTPOrigin.hostAndPort(place) else {
            throw DriveError(.usage, "the proxy in \(variable) is no URL; write http://HOST:PORT")
        }
        switch scheme {
        case "http": return .server(host: host, port: Int(port ?? 80), authorization: authorization(user))
        case "socks5", "socks5h": return .socksServer(host: host, port: Int(port ?? 1080))
        default:
            throw DriveError(
                .usage, "the proxy in \(variable) is of a kind that docdrive cannot use; it uses http:// and socks5h://"
            )
        }
    }

    private static func authorization(_ user: Substring?) -> HTTPClient.Authorization? {
        guard let user, let bytes = PercentEncoding.bytes(user.utf8) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1)
        return .basic(username: String(parts.first ?? ""), password: parts.count > 1 ? String(parts[1]) : "")
    }
}
