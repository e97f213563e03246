/// Tells what a file is by its name.
///
/// The program's own table comes first, so that all devices agree on common files; the system's database adds what the
/// table does not know.
public struct ContentTypes: Sendable {
    private let database: MIMEDatabase?
    private let tree = TypeTree.shared

    /// With the system's database, if it has one.
    public static let shared = ContentTypes(database: .installed)

    public init(database: MIMEDatabase?) { self.database = database }

    public var folder: ContentType { type(mime: "inode/directory") }
    public var link: ContentType { type(mime: "inode/symlink") }

    /// Nil if the name says nothing.
    public func type(name: [UInt8]) -> ContentType? {
        let text = String(decoding: name, as: UTF8.self)
        let suffixes = MIMEDatabase.suffixes(of: text.lowercased())
        let known = suffixes.lazy.compactMap { suffix in tree.bySuffix[suffix].map { (suffix, $0) } }.first
        let claimed = database?.types(named: text) ?? []
        // A whole name, as "CMakeLists.txt", or a longer suffix says more than a suffix of the table.
        if let (suffix, row) = known, !isMoreSpecific(claimed, than: suffix, in: text) { return tree.type(row) }
        guard let best = claimed.first(where: { tree.byMIME[$0.lowercased()] != nil }) ?? claimed.first else {
            return nil
        }
        return type(mime: best)
    }

    /// An identifier and all that it conforms to, nearest first; of one that the table does not have, itself.
    public static func tree(of identifier: String) -> [String] { TypeTree.shared.closure([identifier]) }

    /// All kinds that a type can have: one that the table does not have gets the kind of what it conforms to.
    public static let kinds = Set(TypeTree.shared.rows.values.map(\.kind))

    public func type(mime: String) -> ContentType {
        if let row = tree.byMIME[mime.lowercased()] { return tree.type(row) }
        return tree.type(unknown: mime, parents: parents(of: mime, depth: 0))
    }

    /// The nearest types above that the table knows.
    private func parents(of mime: String, depth: Int) -> [String] {
        // A database may say anything, also that two types are each other's parents.
        guard depth < 8, let above = database?.parents[mime] else { return [] }
        var found: [String] = []
        for parent in above {
            let next = tree.byMIME[parent.lowercased()].map { [$0.identifier] } ?? parents(of: parent, depth: depth + 1)
            for identifier in next where !found.contains(identifier) { found.append(identifier) }
        }
        // What its media type says, unless it is nothing.
        let family = TypeTree.family(of: mime)
        if family != "public.data", !tree.closure(found).contains(family) { found.insert(family, at: 0) }
        return found
    }

    private func isMoreSpecific(_ claimed: [String], than suffix: String, in name: String) -> Bool {
        guard let database, let first = claimed.first else { return false }
        if database.names[name.lowercased()]?.contains(where: { $0.mime == first }) == true { return true }
        // As "a.C", which is no "a.c".
        let exact = MIMEDatabase.suffixes(of: name).flatMap { database.suffixes[$0] ?? [] }
        if exact.contains(where: { $0.isCaseSensitive && $0.mime == first && $0.pattern != suffix }) { return true }
        return MIMEDatabase.suffixes(of: name.lowercased()).contains { longer in
            longer.utf8.count > suffix.utf8.count && database.suffixes[longer]?.contains { $0.mime == first } == true
        }
    }
}
