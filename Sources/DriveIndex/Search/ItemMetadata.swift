public import DriveCore
public import DrivePredicates

/// What kind of document an item is.
public struct ItemType: Hashable, Sendable {
    /// A uniform type identifier, such as `com.adobe.pdf`, and those that it conforms to, itself first.
    public var identifier: String
    public var tree: [String]
    /// One word: pdf, image, document, source and so on.
    public var kind: String
    /// Empty where it has none.
    public var mime: String
    /// Nothing but the name was looked at, and it does not tell: what was read out of the file knows better.
    public var isGuess: Bool

    public init(identifier: String, tree: [String], kind: String, mime: String, isGuess: Bool = false) {
        self.identifier = identifier
        self.tree = tree
        self.kind = kind
        self.mime = mime
        self.isGuess = isGuess
    }
}

/// The attributes of an item as the index knows them, worked out when they are asked for.
///
/// An attribute that an item does not have is null, as is one that nobody knows of.
public struct ItemMetadata: PredicateObject {
    public let row: Row
    public let path: DrivePath
    /// The folder of the drive, which paths of items begin with.
    let drive: [UInt8]
    let states: any ItemStates
    let types: ItemTypes
    private let documents: (any DocumentValues)?

    init(
        row: Row, path: DrivePath, drive: [UInt8], states: any ItemStates, types: @escaping ItemTypes,
        documents: (any DocumentValues)?
    ) {
        self.row = row
        self.path = path
        self.drive = drive
        self.states = states
        self.types = types
        self.documents = documents
    }

    public var state: Standing { states.state(of: row) }
    var isConnected: Bool { states.isConnected }
    private var type: ItemType? { types(row) }

    public func value(forAttribute name: String) -> PredicateValue {
        if Self.typeAttributes.contains(name), type?.isGuess ?? true, let documents {
            let known = documents.value(name, of: row)
            if !known.isNull { return known }
        }
        if let reader = Self.readers[name] { return reader(self) }
        return documents?.value(name, of: row) ?? .null
    }

    private static let typeAttributes: Set<String> = [
        "kMDItemContentType", "kMDItemContentTypeTree", "kMDItemKind", "kDDItemMIMEType",
    ]

    /// Whether it is in the row; what else there is, documents have.
    static func isKnown(_ name: String) -> Bool { readers[name] != nil }

    /// Whether documents may know better, or alone.
    static func asksDocuments(_ name: String) -> Bool { !isKnown(name) || typeAttributes.contains(name) }

    /// All that the item has but its text, in the order of the table.
    public var attributes: [(name: String, value: PredicateValue)] {
        AttributeTable.standard.attributes.compactMap { attribute in
            if attribute.name == DocumentContent.textAttribute { return nil }
            let value = value(forAttribute: attribute.name)
            return value.isNull ? nil : (attribute.name, value)
        }
    }

    typealias Reader = @Sendable (ItemMetadata) -> PredicateValue

    private static let readers = fileReaders.merging(ubiquityReaders.merging(driveReaders) { $1 }) { $1 }

    private static let fileReaders: [String: Reader] = [
        "kMDItemFSName": { .string($0.name) },
        "kMDItemDisplayName": { .string($0.name) },
        "kMDItemPath": { .string($0.text(of: $0.path)) },
        "kMDItemURL": { .string($0.url) },
        "kDDItemExtension": { $0.fileExtension.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null },
        "kDDItemDepth": { .integer(Int64($0.path.components.count)) },
        "kMDItemFSInvisible": { .bool($0.row.name.bytes.first == 0x2E) },
        "kMDItemFSSize": { $0.row.kind == .folder ? .null : .integer(Int64(clamping: $0.row.facts.size)) },
        "kMDItemFSCreationDate": { $0.row.facts.identity.birth.map { .date(PredicateDate($0)) } ?? .null },
        "kMDItemFSContentChangeDate": { $0.row.modified.map { .date(PredicateDate($0)) } ?? .null },
        "kMDItemAttributeChangeDate": { $0.changed.map { .date(PredicateDate($0)) } ?? .null },
        "kMDItemDateAdded": { $0.added.map { .date($0) } ?? .null },
        "kMDItemContentType": { $0.type.map { .string($0.identifier) } ?? .null },
        "kMDItemContentTypeTree": { $0.type.map { .list($0.tree.map { .string($0) }) } ?? .null },
        "kMDItemKind": { .string($0.type?.kind ?? $0.row.kind.word) },
        "kDDItemMIMEType": { $0.type.flatMap { $0.mime.isEmpty ? nil : .string($0.mime) } ?? .null },
        "_kMDItemUserTags": { $0.tags },
        "kMDItemFinderComment": { $0.text(.comment) },
        "kMDItemWhereFroms": { item in
            let origin = item.text(.originURL)
            return origin.isNull ? .null : .list([origin])
        },
    ]

    /// Without records, when the file came to be.
    private var added: PredicateDate? {
        if let origin {
            return PredicateDate(
                seconds: Int64(origin.added / 1_000), nanoseconds: Int32(origin.added % 1_000) * 1_000_000)
        }
        return row.facts.identity.birth.map { PredicateDate($0) }
    }

    /// As long as there is no file, its content's date stands for it.
    private var changed: FileTime? { row.modified.map { _ in row.facts.changed } }

    private var name: String { String(decoding: row.name.bytes, as: UTF8.self) }

    /// Without the dot; a name that only begins with one has none.
    var fileExtension: [UInt8]? {
        guard row.kind != .folder, let dot = row.name.bytes.lastIndex(of: 0x2E), dot > 0,
            dot + 1 < row.name.bytes.count
        else { return nil }
        return Array(row.name.bytes[(dot + 1)...])
    }

    private var tags: PredicateValue {
        let tags = TagList(bytes: row.attributes.extended[.tags] ?? []).tags
        return tags.isEmpty ? .null : .list(tags.map { .string($0) })
    }

    private func text(_ key: AttributeKey) -> PredicateValue {
        row.attributes.extended[key].map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
    }
}

extension PredicateDate {
    init(_ time: FileTime) { self.init(seconds: time.seconds, nanoseconds: Int32(clamping: time.nanoseconds)) }
}
