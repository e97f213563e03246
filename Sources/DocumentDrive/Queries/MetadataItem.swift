public import DriveCore
public import DriveIndex
public import DrivePredicates

/// What the index knows of a file, folder or link, as of one moment.
///
/// The attributes are those of Apple's NSMetadataItem, by the same names (`kMDItemFSName`); docs/queries-language.md has the
/// table. What an item does not have is null, and so is an attribute that nobody knows of.
public struct MetadataItem: Hashable, Sendable, Identifiable, PredicateObject {
    private let snapshot: ItemSnapshot

    init(_ snapshot: ItemSnapshot) { self.snapshot = snapshot }

    /// Stays the same when the item is renamed, moved or edited, as long as the index lives.
    public var id: Int64 { snapshot.row.id.rawValue }
    /// Where it lies beneath the drive.
    public var path: DrivePath { snapshot.path }
    public var state: Standing { snapshot.state }

    /// As a search by name and state tells it.
    public var found: FoundItem { snapshot.found }

    public func value(forAttribute name: String) -> PredicateValue { snapshot.value(forAttribute: name) }

    /// What an attribute that is a name or a path is exactly, which need not be text; nil for any other.
    func bytes(forAttribute name: String) -> [UInt8]? { snapshot.bytes(forAttribute: name) }

    public func values(forAttributes names: [String]) -> [String: PredicateValue] {
        Dictionary(names.map { ($0, value(forAttribute: $0)) }) { first, _ in first }
    }

    /// The names of what it has, but for its text, in the order of the table.
    public var attributes: [String] { snapshot.attributes.map(\.name) }
}
