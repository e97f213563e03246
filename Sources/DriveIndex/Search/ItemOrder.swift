package import DriveCore
package import DrivePredicates

/// What items are put in order by: attributes of theirs, and their paths where those are equal.
package struct ItemOrder: Sendable {
    package struct Key: Sendable {
        package var attribute: String
        package var isAscending: Bool

        package init(attribute: String, isAscending: Bool) {
            self.attribute = attribute
            self.isAscending = isAscending
        }
    }

    private let keys: [Key]

    package init(_ keys: [Key]) { self.keys = keys }

    /// Where an item belongs, worked out once.
    package struct Place {
        fileprivate let values: [SortKey]
        fileprivate let path: DrivePath
    }

    package func place(of item: some PredicateObject, at path: DrivePath) -> Place {
        Place(values: keys.map { SortKey(item.value(forAttribute: $0.attribute)) }, path: path)
    }

    package func precedes(_ one: Place, _ other: Place) -> Bool {
        for (number, key) in keys.enumerated() where one.values[number] != other.values[number] {
            return (one.values[number] < other.values[number]) == key.isAscending
        }
        return one.path < other.path
    }
}

/// Of many items the first so many in an order; of all others nothing is kept.
struct FirstItems {
    private let order: ItemOrder
    private let most: Int
    private var found: [(place: ItemOrder.Place, item: ItemMetadata)] = []
    /// What does not come before this is not among them.
    private var last: ItemOrder.Place?

    init(_ most: Int, by order: ItemOrder) {
        self.most = most
        self.order = order
    }

    mutating func add(_ item: ItemMetadata) {
        let place = order.place(of: item, at: item.path)
        if let last, !order.precedes(place, last) { return }
        found.append((place, item))
        // Now and then: each is compared with few others.
        if found.count / 2 > max(most, 64) { cut() }
    }

    /// In their order.
    mutating func items() -> [ItemMetadata] {
        cut()
        return found.map(\.item)
    }

    private mutating func cut() {
        let order = order
        found.sort { order.precedes($0.place, $1.place) }
        if found.count > most { found.removeLast(found.count - most) }
        if found.count == most { last = found.last?.place }
    }
}
