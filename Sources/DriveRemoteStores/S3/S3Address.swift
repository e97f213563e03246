import DriveCore

/// Where a bucket is and how its objects are named on the wire.
struct S3Address: Sendable {
    enum Style: String { case path, virtual }

    var bucket: String
    /// Before every key; empty, or ends in a slash.
    var prefix: String
    /// Who is asked; in the virtual style its host begins with the bucket.
    var origin: HTTPOrigin
    /// Before bucket and key: empty, or begins with a slash and does not end in one.
    var base: String
    var region: String
    var style: Style

    /// `region` is what the surroundings say where the URL says none.
    init(_ url: StoreURL, region: String?) throws(DriveError) {
        try url.checkOptions(Self.options)
        guard url.user == nil, url.port == nil else {
            throw DriveError(
                .usage, "s3://BUCKET/PREFIX has no user and no port; write `endpoint=https://HOST:PORT` for a server",
                path: url.text(showing: Self.options))
        }
        bucket = url.host
        prefix = url.path.isEmpty ? "" : url.path + "/"
        self.region = url.options["region"] ?? region ?? "us-east-1"
        guard Self.isRegion(self.region) else {
            throw DriveError(
                .usage, "`\(self.region)` is no region; correct `region=`",
                path: url.text(showing: Self.options))
        }
        (origin, base) = try Self.endpoint(url, region: self.region)
        // Certificates for all buckets of a host cover no names with dots (S3 User Guide, "Virtual hosting of buckets").
        style = url.options["endpoint"] != nil || bucket.contains(".") ? .path : .virtual
        if let text = url.options["style"] {
            guard let style = Style(rawValue: text) else {
                throw DriveError(.usage, "`style=` is `path` or `virtual`", path: url.text)
            }
            self.style = style
        }
        if style == .virtual { origin.host = "\(bucket).\(origin.host)" }
    }

    private static let options = ["ca", "endpoint", "profile", "region", "style"]

    private static func endpoint(_ url: StoreURL, region: String) throws(DriveError) -> (HTTPOrigin, String) {
        guard let text = url.options["endpoint"] else {
            let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
            return (HTTPOrigin(.https, host: "s3.\(region).\(domain)"), "")
        }
        let full = text.contains("://") ? text : "https://\(text)"
        guard let (origin, rest) = HTTPOrigin.parse(full), !rest.contains("?"), !rest.contains("#") else {
            let message =
                text.contains("@")
                ? "`endpoint=` is no place for a key or a password, which others can read there; write https://HOST or "
                    + "https://HOST:PORT, and docdrive asks for the key"
                : "`endpoint=` is no URL; write https://HOST or https://HOST:PORT"
            throw DriveError(.usage, message, path: url.text(showing: Self.options.filter { $0 != "endpoint" }))
        }
        let parts = rest.split(separator: "/").map { PercentEncoding.bytes($0.utf8) ?? Array($0.utf8) }
        return (origin, parts.map { "/" + PercentEncoding.text($0) }.joined())
    }

    private static func isRegion(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
            }
    }

    /// The bucket's own path, for what concerns no single object.
    var bucketPath: String { style == .path ? "\(base)/\(bucket)" : base + "/" }

    func path(of key: ObjectKey) -> String {
        let key = PercentEncoding.text("\(prefix)\(key)".utf8)
        return style == .path ? "\(base)/\(bucket)/\(key)" : "\(base)/\(key)"
    }
}
