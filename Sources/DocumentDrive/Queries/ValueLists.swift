import DriveIndex
public import DrivePredicates

/// How many results have a value.
public struct AttributeValueTuple: Hashable, Sendable {
    public var attribute: String
    /// Null for the results that have none.
    public var value: PredicateValue
    /// What a name or a path is exactly that is no text; nil where the value tells it.
    public var bytes: [UInt8]?
    public var count: Int
}

/// Results that have a value in common.
public struct MetadataResultGroup: Hashable, Sendable {
    public var attribute: String
    public var value: PredicateValue
    /// What a name or a path is exactly that is no text; nil where the value tells it.
    public var bytes: [UInt8]?
    public var results: [MetadataItem]
    /// By the next grouping attribute; empty at the last.
    public var subgroups: [MetadataResultGroup]
}

extension [MetadataItem] {
    /// The values of an attribute with how many items have each, the most frequent first, then in their order.
    ///
    /// An item with several values counts once for each of them. Values for which `common` says the same are one; names and paths
    /// that are no text are by their bytes.
    public func valueList(
        _ attribute: String, common: (PredicateValue) -> PredicateValue = { $0 }
    ) -> [AttributeValueTuple] {
        groups(attribute, common)
            .sorted { a, b in a.items.count != b.items.count ? a.items.count > b.items.count : a.key < b.key }
            .map { key, items in
                AttributeValueTuple(attribute: attribute, value: key.value, bytes: key.bytes, count: items.count)
            }
    }

    /// In groups by the first attribute, and each of those by the next, in the order of values. Values for which `common`
    /// says the same are one; names and paths that are no text are by their bytes.
    public func grouped(
        by attributes: [String], common: (PredicateValue) -> PredicateValue = { $0 }
    ) -> [MetadataResultGroup] {
        guard let first = attributes.first else { return [] }
        let rest = Array<String>(attributes.dropFirst())
        return groups(first, common).sorted { $0.key < $1.key }.map { key, items in
            MetadataResultGroup(
                attribute: first, value: key.value, bytes: key.bytes, results: items,
                subgroups: items.grouped(by: rest, common: common))
        }
    }

    private func groups(
        _ attribute: String, _ common: (PredicateValue) -> PredicateValue
    ) -> [(key: GroupKey, items: [MetadataItem])] {
        var places: [GroupKey: Int] = [:]
        var groups: [(key: GroupKey, items: [MetadataItem])] = []
        for item in self {
            let exact = item.bytes(forAttribute: attribute)
            for value in Set(Self.values(item.value(forAttribute: attribute)).map(common)) {
                let key = GroupKey(value, exact)
                if let place = places[key] {
                    groups[place].items.append(item)
                } else {
                    places[key] = groups.count
                    groups.append((key, [item]))
                }
            }
        }
        return groups
    }

    private static func values(_ value: PredicateValue) -> Set<PredicateValue> {
        if case .list(let values) = value, !values.isEmpty { return Set(values) }
        return [value]
    }
}

/// What the items of a group have in common.
private struct GroupKey: Hashable, Comparable {
    let value: PredicateValue
    /// Of what is no text.
    let bytes: [UInt8]?
    /// Of any name or path: two that are no text may look alike, and two compositions of one text are equal.
    private let name: [UInt8]?

    /// `exact` is what the attribute is as bytes, where it is a name or a path.
    init(_ value: PredicateValue, _ exact: [UInt8]?) {
        self.value = value
        let isText = exact.map { String(validating: $0, as: UTF8.self) != nil } ?? true
        bytes = isText ? nil : exact
        // Those that count as the same are the same text by now.
        if exact != nil, isText, case .string(let text) = value { name = Array(text.utf8) } else { name = exact }
    }

    static func < (a: GroupKey, b: GroupKey) -> Bool {
        let (one, other) = (SortKey(a.value), SortKey(b.value))
        if one != other { return one < other }
        return (a.name ?? []).lexicographicallyPrecedes(b.name ?? [])
    }
}
