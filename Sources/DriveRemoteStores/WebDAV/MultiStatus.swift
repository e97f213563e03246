import DriveCore

/// One resource as an answer to PROPFIND tells of it (RFC 4918, section 14.24).
struct DAVResource: Hashable {
    /// Decoded, without slashes at its end: `/files/dd1`. The root is empty.
    var path: [UInt8]
    var isCollection: Bool
    /// Nil where the server does not say.
    var size: UInt64?

    /// The path that an href names, which is an absolute path or URL (RFC 4918, section 8.3) in whatever encoding; nil
    /// where it is neither. Which host it names does not matter: behind a proxy it is often another.
    static func path(ofHref text: some StringProtocol) -> [UInt8]? {
        var rest = text[...]
        if let mark = rest.firstRange(of: "://"), !rest[..<mark.lowerBound].contains("/") {
            rest = rest[mark.upperBound...]
            rest = rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]
            if rest.isEmpty { return [] }
        }
        rest = rest.prefix { $0 != "?" && $0 != "#" }
        guard rest.hasPrefix("/"), let bytes = PercentEncoding.bytes(rest.utf8) else { return nil }
        return bytes.split(separator: 0x2F).reduce(into: []) { $0 += [0x2F] + $1 }
    }
}

/// A collection and what lies directly in it.
struct DAVCollection {
    /// False where something else has the path.
    var isCollection = true
    var members: [Member] = []

    struct Member: Hashable {
        var name: [UInt8]
        var isCollection: Bool
        var size: UInt64?
    }

    /// What an answer of Depth 1 says of the collection with the path; nil where it is about something else.
    init?(at path: [UInt8], _ resources: [DAVResource]) {
        guard let base = Self.base(path, resources) else { return nil }
        for resource in resources {
            if resource.path == base { isCollection = resource.isCollection }
            guard let name = Self.name(of: resource.path, beneath: base) else { continue }
            members.append(Member(name: name, isCollection: resource.isCollection, size: resource.size))
        }
    }

    /// Where the answer has the collection: under the path that was asked for, or under another that is the start of all
    /// the rest. Proxies change paths, and some servers the form of accents. What is no collection has to have at least the
    /// name that was asked for.
    private static func base(_ path: [UInt8], _ resources: [DAVResource]) -> [UInt8]? {
        if resources.contains(where: { $0.path == path || name(of: $0.path, beneath: path) != nil }) { return path }
        guard let top = resources.min(by: { $0.path.count < $1.path.count }),
            top.isCollection || resources.count == 1 && lastName(of: top.path) == lastName(of: path),
            resources.allSatisfy({ $0.path == top.path || name(of: $0.path, beneath: top.path) != nil })
        else { return nil }
        return top.path
    }

    /// Nil of the root.
    private static func lastName(of path: [UInt8]) -> ArraySlice<UInt8>? { path.split(separator: 0x2F).last }

    private static func name(of path: [UInt8], beneath base: [UInt8]) -> [UInt8]? {
        guard path.count > base.count + 1, path.starts(with: base), path[base.count] == 0x2F else { return nil }
        let name = path[(base.count + 1)...]
        return name.contains(0x2F) ? nil : Array(name)
    }
}
