import DriveIndex
import DrivePredicates

/// One key of an order, as an NSSortDescriptor of a metadata query is.
///
/// What an item lacks comes first where it ascends. Numbers and dates go by value, texts without regard to case and
/// accents, and where those are equal by code points; of several values the first counts.
public struct MetadataSort: Hashable, Sendable {
    /// The name of an attribute, such as `kMDItemFSSize`.
    public var attribute: String
    public var isAscending: Bool

    public init(_ attribute: String, isAscending: Bool = true) {
        self.attribute = attribute
        self.isAscending = isAscending
    }
}

extension ItemOrder {
    init(_ keys: [MetadataSort]) { self.init(keys.map { Key(attribute: $0.attribute, isAscending: $0.isAscending) }) }
}

extension [MetadataItem] {
    /// By the keys, and by path where all are equal.
    public func sorted(by keys: [MetadataSort]) -> [MetadataItem] {
        let order = ItemOrder(keys)
        let places = map { order.place(of: $0, at: $0.path) }
        // Items are large: their places are put in order.
        return indices.sorted { order.precedes(places[$0], places[$1]) }.map { self[$0] }
    }
}
