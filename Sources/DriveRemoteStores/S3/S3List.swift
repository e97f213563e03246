import DriveCore

/// A page of a list (S3 API Reference, "ListObjectsV2").
struct S3List {
    struct Object {
        var name: String
        var size: UInt64
    }

    var objects: [Object]
    /// What names have in common up to a slash, where that was asked for.
    var folders: [String]
    var isTruncated: Bool
    var token: String?

    /// Nil where the element is no such page.
    init?(_ root: S3Element) {
        guard root.name == "ListBucketResult" else { return nil }
        let isEncoded = root["EncodingType"]?.text.lowercased() == "url"
        objects = []
        for element in root.all("Contents") {
            guard element["Key"] != nil, let size = (element["Size"]?.text).flatMap(UInt64.init) else { return nil }
            // What has a zero byte in its name, or an escape that is none, is no object of ours.
            if let name = Self.name(element["Key"], isEncoded) { objects.append(Object(name: name, size: size)) }
        }
        folders = root.all("CommonPrefixes").compactMap { Self.name($0["Prefix"], isEncoded) }
        isTruncated = root["IsTruncated"]?.text == "true"
        token = root["NextContinuationToken"].flatMap { $0.text.isEmpty ? nil : $0.text }
    }

    /// `encoding-type=url` encodes as forms do: some servers write a space as a plus sign.
    private static func name(_ element: S3Element?, _ isEncoded: Bool) -> String? {
        guard let text = element?.text, isEncoded else { return element?.text }
        return PercentEncoding.bytes(text.utf8.map { $0 == 0x2B ? 0x20 : $0 }).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    struct Query: Equatable {
        var prefix: String
        var after: String?
        var token: String?
        /// Names up to the next slash only.
        var isShallow = false
        var limit: Int

        init(prefix: String, after: String? = nil, isShallow: Bool = false, limit: Int) {
            self.prefix = prefix
            self.after = after
            self.isShallow = isShallow
            self.limit = limit
        }

        var text: String {
            var fields = [("list-type", "2"), ("encoding-type", "url"), ("max-keys", String(min(limit, 1_000)))]
            if !prefix.isEmpty { fields.append(("prefix", prefix)) }
            if isShallow { fields.append(("delimiter", "/")) }
            if let token {
                fields.append(("continuation-token", token))
            } else if let after {
                fields.append(("start-after", after))
            }
            return fields.map { name, value in "\(name)=\(S3List.encoded(value))" }.joined(separator: "&")
        }

        /// Nil where the page says that there is more but not where.
        func next(_ page: S3List) -> Query? {
            var next = self
            next.token = page.token
            if page.token == nil {
                // Servers that know only the first version of lists.
                guard let last = (page.objects.map(\.name) + page.folders).max(), after.map({ $0 < last }) ?? true
                else {
                    return nil
                }
                next.after = last
            }
            return next
        }
    }

    /// In a query slashes are encoded too, because they are for the signature.
    static func encoded(_ text: String) -> String { PercentEncoding.text(text.utf8).replacing("/", with: "%2F") }
}
