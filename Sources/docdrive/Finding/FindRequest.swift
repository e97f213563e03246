import DocumentDrive
import DriveCore
import DriveIndex
import DrivePredicates
import FileCoordination

/// What `find` is to look for: its own arguments, and those of the saved search that they name.
struct FindRequest {
    let question: QueryQuestion
    /// What SQLite and the evaluator are asked; its limit holds before anything is put in order.
    private(set) var query = NameQuery()
    let order: [MetadataSort]
    let limit: Int?

    /// `base` is what a saved search says; the words and the predicate of both must hold. `folder` is that of the search in its
    /// own bytes, which need not be text.
    init(_ search: SavedSearch, base: SavedSearch?, folder: DrivePath?) throws {
        let whole = base.map { $0.refined(by: search) } ?? search
        let own = try QueryQuestion(words: search.words, predicate: search.predicate, name: whole.name)
        if let base, !base.words.isEmpty || base.predicate != nil {
            question = try own.and(QueryQuestion(words: base.words, predicate: base.predicate, name: nil))
        } else {
            question = own
        }
        order = try whole.sort.map(Self.sort)
        limit = whole.limit
        if let limit { try ListLimit.check(limit) }
        query.predicate = question.predicate
        query.extensions = try Self.read("ext", whole.extensions, EndingList.init)?.endings ?? []
        if let kind = try Self.read("kind", whole.kind, KindArgument.init) { query.kinds = [kind.kind] }
        query.size = try Self.read("size", whole.size, SizeRange.init)?.range
        query.since = try Self.read("since", whole.since, DateArgument.init(_:))?.time
        query.before = try Self.read("before", whole.before, DateArgument.init(_:))?.time
        if let list = try Self.read("state", whole.state, StateList.init) { query.states = list.states }
        let named = whole.folder.map { DrivePath(bytes: Array($0.utf8)) }.flatMap { $0.isRoot ? nil : $0 }
        query.folder = folder ?? named
        query.includesAbsent =
            query.states.contains(.downloading) || question.predicate.map(NameQuery.asksDownloads) ?? false
        query.leavesOutHeld = !query.includesAbsent && !query.states.contains(.held)
        if order.isEmpty { query.limit = limit }
    }

    private static func read<Value>(
        _ option: String, _ text: String?, _ parse: (String) -> Value?
    ) throws -> Value? {
        guard let text else { return nil }
        guard let value = parse(text) else {
            throw DriveError(.usage, "--\(option) cannot be read: '\(Escaped.text(text))'")
        }
        return value
    }

    private static func sort(_ text: String) throws -> MetadataSort {
        let isAscending = !text.hasPrefix("-")
        return MetadataSort(
            try AttributeWord.listing(isAscending ? text : String(text.dropFirst())), isAscending: isAscending)
    }

    /// How all of it was understood; without the indexes of a drive where there are none.
    func explain(_ explanation: SearchExplanation?) {
        question.explain(explanation, filters: FilterText(query).lines)
    }

    /// As `results`, with what a list shows alone.
    func found(_ reader: DriveReader) throws -> [FoundItem] {
        guard order.isEmpty else { return try results(reader).map(\.found) }
        return try reader.search(query).sorted { $0.path < $1.path }
    }

    /// As `results`, with nothing but places.
    func paths(_ reader: DriveReader) throws -> PathList {
        guard !order.isEmpty else { return try reader.list(query) }
        var list = PathList()
        for item in try results(reader) { list.append(item.path) }
        return list
    }

    func count(_ reader: DriveReader) throws -> Int {
        guard order.isEmpty else { return try min(reader.count(query), limit ?? .max) }
        return try reader.count(query)
    }

    /// Every one, in no particular order: where groups are counted, the limit is one of groups.
    func all(_ reader: DriveReader) throws -> [MetadataItem] {
        var whole = query
        whole.limit = nil
        return try reader.items(whole)
    }

    /// In order and no more than asked for.
    func results(_ reader: DriveReader) throws -> [MetadataItem] {
        try reader.items(query, by: order, limit: limit)
    }
}

/// The name of an attribute as people write it.
enum AttributeWord {
    /// Where to find those that there are.
    static let list = "`docdrive attrs FILE` lists those of a file"

    static func resolved(_ word: String) throws -> String {
        guard let attribute = AttributeTable.standard.resolved(word) else {
            let nearest = AttributeTable.standard.suggestions(for: word)
            let hint = nearest.isEmpty ? list : "did you mean \(nearest.joined(separator: " or "))?"
            throw DriveError(.usage, "there is no attribute \(word); \(hint)")
        }
        return attribute.name
    }

    /// One that items may have.
    static func supplied(_ word: String) throws -> String {
        let name = try resolved(word)
        if AttributeTable.standard.named(name)?.isSupplied == false {
            throw DriveError(.usage, "no item has \(name): nothing on this system tells it")
        }
        return name
    }

    /// One by which a list can be put in order, or into groups: the text of documents is read for queries alone.
    static func listing(_ word: String) throws -> String {
        let name = try supplied(word)
        if name == "kMDItemTextContent" {
            throw DriveError(.usage, "a list has no order or groups by the text of documents; name another attribute")
        }
        return name
    }
}
