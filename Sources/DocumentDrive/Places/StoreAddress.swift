public import DriveCore

/// Where a store is: in a folder, given by its path or as a `file://` URL, or behind another kind of URL.
public enum StoreAddress: Hashable, Sendable {
    case folder(FolderPath)
    case remote(StoreURL)

    /// A path, relative to the current folder, or a URL (RFC 8089 for `file`, `StoreURL` for the others). Throws `usage` for
    /// what is neither, and for what scp(1) and rsync(1) take for a place on another machine: a colon before any slash.
    public init(_ argument: [UInt8]) throws(DriveError) {
        // The system would take the path to end there.
        guard !argument.contains(0) else {
            throw DriveError(.usage, "the store's address holds a zero byte, as no path does; correct it")
        }
        guard !argument.isEmpty else {
            throw DriveError(.usage, "the store's address is empty; give a folder's path or a URL")
        }
        guard let text = String(validating: argument, as: UTF8.self), let colon = Self.colon(in: text) else {
            try Self.checkIsHere(argument)
            self = .folder(FolderPath(argument))
            return
        }
        guard text[..<colon.lowerBound].lowercased() == "file" else {
            self = .remote(try StoreURL(text))
            return
        }
        var rest = text.unicodeScalars[colon.upperBound...]
        if rest.starts(with: "localhost/".unicodeScalars) { rest = rest.dropFirst("localhost".count) }
        guard rest.first == "/", let bytes = PercentEncoding.bytes(Substring(rest).utf8) else {
            throw DriveError(.usage, "this is no file URL; write file:///folder", path: text)
        }
        self = .folder(FolderPath(bytes))
    }

    /// As a drive's settings have it, wherever the program works now: a path is one beneath the drive's folder, and behind `~/` one
    /// in the home folder. So is that of the certificates that a URL names.
    init(_ text: String, in drive: FolderPath) throws(DriveError) {
        let address = try StoreAddress(Array(text.utf8))
        switch address {
        case .folder where Self.colon(in: text) == nil: self = .folder(try Self.place(text, in: drive))
        case .folder: self = address
        case .remote(var url):
            if let file = url.options["ca"] {
                let place = try Self.place(file, in: drive)
                // In a drive whose path is no text it stays as it is.
                url.options["ca"] = String(validating: place.bytes, as: UTF8.self) ?? file
            }
            self = .remote(url)
        }
    }

    private static func place(_ text: String, in drive: FolderPath) throws(DriveError) -> FolderPath {
        let path = Array(text.utf8)
        if path.first == 0x2F { return FolderPath(path) }
        guard path == [0x7E] || path.starts(with: [0x7E, 0x2F]) else {
            return FolderPath(drive.bytes + [0x2F] + path)
        }
        guard let home = FolderPath.home else {
            throw DriveError(
                .needsDecision, "nobody knows the home folder; write the whole path, beginning with /", path: text)
        }
        return FolderPath(home.bytes + path.dropFirst())
    }

    /// A folder beside the drive in its place would look like success.
    private static func checkIsHere(_ path: [UInt8]) throws(DriveError) {
        let parts = path.prefix { $0 != 0x2F }.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let start = parts.first.map({ String(decoding: $0, as: UTF8.self) }) else { return }
        let rest = String(decoding: path.dropFirst(start.utf8.count + 1), as: UTF8.self)
        try checkPassword(start, rest)
        let isScheme = start.lowercased() == "file" || StoreURL.Scheme(rawValue: start.lowercased()) != nil
        // Of a file it is the path's own.
        let place = start.lowercased() == "file" ? rest : String(rest.drop { $0 == "/" })
        let url =
            isScheme
            ? start.lowercased() + "://" + place
            : "sftp://\(start)/" + (rest.hasPrefix("/") ? String(rest.dropFirst()) : "~/\(rest)")
        throw DriveError(
            .usage, "this would be a place on another machine; write `\(url)`, or ./ before the name of a folder here",
            path: String(decoding: path, as: UTF8.self))
    }

    /// Of `USER:PASSWORD@HOST` nothing is repeated after the user.
    private static func checkPassword(_ start: String, _ rest: String) throws(DriveError) {
        let isScheme = StoreURL.Scheme(rawValue: start.lowercased()) != nil
        let place = isScheme ? String(rest.drop { $0 == "/" }) : "\(start):\(rest)"
        guard let at = place.lastIndex(of: "@"), let colon = place[..<at].firstIndex(of: ":") else { return }
        throw DriveError(
            .usage,
            "an address is no place for a password, which others can read there; write `\(isScheme ? start.lowercased() : "sftp")"
                + "://USER@HOST/PATH`, or ./ before the name of a folder here",
            path: (isScheme ? "\(start):" : "") + place[..<colon] + ":..." + place[at...])
    }

    /// As it is recorded: the path, or a URL where the path is not UTF-8 or would be taken for a URL.
    public var text: String {
        switch self {
        case .remote(let url): return url.text
        case .folder(let folder):
            if let text = String(validating: folder.bytes, as: UTF8.self), Self.colon(in: text) == nil { return text }
            return "file://" + PercentEncoding.text(folder.bytes)
        }
    }

    /// The same as people see it. Nobody knows what stands in settings: what may be a secret is left out.
    public var shown: String {
        if case .remote(let url) = self { url.shown } else { text }
    }

    /// What ends the scheme of a URL; by scalars, since a mark after it may make another character of the last slash.
    private static func colon(in text: String) -> Range<String.Index>? {
        text.unicodeScalars.firstRange(of: "://".unicodeScalars)
    }

    /// Nil where it is none.
    public var folder: FolderPath? {
        if case .folder(let folder) = self { folder } else { nil }
    }

    /// The same place whatever the current folder is, links to it followed.
    var resolved: StoreAddress {
        switch self {
        case .folder(let folder): return .folder(folder.resolved)
        case .remote(var url):
            if let file = url.options["ca"],
                let path = String(validating: FolderPath(file).bytes, as: UTF8.self)
            {
                url.options["ca"] = path
            }
            return .remote(url)
        }
    }

    /// What a person should know before bytes go there; nil where nothing is to be said.
    public var caution: String? {
        guard case .remote(let url) = self, !url.isOnThisMachine else { return nil }
        switch url.scheme {
        case .webdav: return "password and documents travel in the clear; use webdavs:// where the server can do TLS"
        case .s3 where url.options["endpoint"]?.hasPrefix("http://") == true:
            return "documents travel in the clear; use an endpoint with https:// where the server can do TLS"
        default: return nil
        }
    }

    /// Whether both lead to one place.
    public func isSame(as other: StoreAddress) -> Bool { resolved == other.resolved }
}

extension StoreURL {
    /// Nothing that goes there can be overheard.
    fileprivate var isOnThisMachine: Bool {
        let place = options["endpoint"].map { $0.drop { $0 != "/" }.drop { $0 == "/" } } ?? host[...]
        return ["localhost", "127.", "::1", "[::1]"].contains { place.hasPrefix($0) }
    }
}
