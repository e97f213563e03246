/// The table, read: what conforms to what.
struct TypeTree: Sendable {
    struct Row: Sendable {
        let identifier: String
        let parents: [String]
        let kind: String
        let mimes: [String]
        let suffixes: [String]
    }

    let rows: [String: Row]
    /// By each MIME type, those that are other names included.
    let byMIME: [String: Row]
    let bySuffix: [String: Row]

    static let shared = TypeTree(typeTable)

    init(_ table: String) {
        var rows: [String: Row] = [:], byMIME: [String: Row] = [:], bySuffix: [String: Row] = [:]
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: " ").map { $0 == "-" ? [] : $0.split(separator: ",").map(String.init) }
            precondition(fields.count == 5 && rows[fields[0][0]] == nil, "a line of the type table is wrong: \(line)")
            let row = Row(
                identifier: fields[0][0], parents: fields[1], kind: fields[2][0], mimes: fields[3], suffixes: fields[4])
            rows[row.identifier] = row
            for mime in row.mimes { byMIME[mime.lowercased()] = row }
            for suffix in row.suffixes { bySuffix[suffix] = row }
        }
        self.rows = rows
        self.byMIME = byMIME
        self.bySuffix = bySuffix
    }

    /// All that these conform to, they first, nearer ones before farther ones.
    func closure(_ identifiers: [String]) -> [String] {
        var tree: [String] = []
        var next = identifiers
        while !next.isEmpty {
            let level = next.filter { !tree.contains($0) }
            for identifier in level where !tree.contains(identifier) { tree.append(identifier) }
            next = level.flatMap { rows[$0]?.parents ?? [] }
        }
        return tree
    }

    func type(_ row: Row, mime: String? = nil) -> ContentType {
        ContentType(
            mime: mime ?? row.mimes.first ?? "application/octet-stream", identifier: row.identifier,
            tree: closure([row.identifier]), kind: row.kind)
    }

    /// A type that only its MIME type is known of, with what it is a kind of.
    func type(unknown mime: String, parents: [String]) -> ContentType {
        let parents = parents.isEmpty ? [Self.family(of: mime)] : parents
        let tree = closure(parents)
        let kind = tree.lazy.compactMap { rows[$0]?.kind }.first { $0 != "file" } ?? "file"
        let identifier = "dyn." + mime.map { $0 == "/" ? "." : String($0) }.joined()
        return ContentType(mime: mime, identifier: identifier, tree: [identifier] + tree, kind: kind)
    }

    /// What all of a media type are.
    static func family(of mime: String) -> String {
        switch mime.prefix(while: { $0 != "/" }) {
        case "text": "public.plain-text"
        case "image": "public.image"
        case "audio": "public.audio"
        case "video": "public.movie"
        case "font": "public.font"
        default: "public.data"
        }
    }
}
