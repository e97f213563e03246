public import DriveCore
public import DrivePredicates

/// What was known of an item at one moment; unlike `ItemMetadata` it stays valid without the index.
public struct ItemSnapshot: Sendable, PredicateObject {
    public let row: Row
    public let path: DrivePath
    public let state: Standing
    private let standing: KnownStanding
    private let drive: [UInt8]
    private let types: ItemTypes
    /// What documents say of themselves, but for their text.
    private let document: [String: PredicateValue]

    init(_ item: ItemMetadata, _ reader: DocumentReader) throws {
        (row, path, drive, types) = (item.row, item.path, item.drive, item.types)
        state = item.state
        standing = KnownStanding(
            isConnected: item.isConnected, state: state, origin: item.origin,
            problems: item.states.problems(of: item.row, at: item.path), conflict: item.states.conflict(of: item.row))
        document = try reader.attributes(of: item.row)
    }

    public func value(forAttribute name: String) -> PredicateValue { metadata.value(forAttribute: name) }

    /// What an attribute that is a name or a path is exactly, which need not be text; nil for any other.
    package func bytes(forAttribute name: String) -> [UInt8]? { metadata.bytes(forAttribute: name) }

    /// All that the item has but its text, in the order of the table.
    public var attributes: [(name: String, value: PredicateValue)] { metadata.attributes }

    private var metadata: ItemMetadata {
        ItemMetadata(
            row: row, path: path, drive: drive, states: standing, types: types,
            documents: KnownDocument(values: document))
    }
}

/// The type follows from the row.
extension ItemSnapshot: Hashable {
    public static func == (one: ItemSnapshot, other: ItemSnapshot) -> Bool {
        one.row == other.row && one.path == other.path && one.drive == other.drive && one.standing == other.standing
            && one.document == other.document
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(row)
        hasher.combine(path)
    }
}

/// How one item stood.
private struct KnownStanding: ItemStates, Hashable {
    let isConnected: Bool
    let state: Standing
    let origin: ItemOrigin?
    let problems: ItemProblems
    let conflict: ConflictStanding

    func state(of row: Row) -> Standing { state }
    func origin(of row: Row) -> ItemOrigin? { origin }
    func problems(of row: Row, at path: DrivePath) -> ItemProblems { problems }
    func conflict(of row: Row) -> ConflictStanding { conflict }
}

/// A document whose values are at hand.
private struct KnownDocument: DocumentValues {
    let values: [String: PredicateValue]

    func value(_ name: String, of row: Row) -> PredicateValue { values[name] ?? .null }
}

extension ItemSnapshot {
    public var found: FoundItem { FoundItem(row, path, state) }
}

extension FoundItem {
    init(_ row: Row, _ path: DrivePath, _ state: Standing) {
        self.init(
            path: path, kind: row.kind, size: row.kind == .folder ? 0 : row.facts.size, modified: row.modified,
            state: state)
    }
}
