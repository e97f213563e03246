import DriveIndex
public import DrivePredicates

/// How many results have a value.
public struct AttributeValueTuple: Hashable, Sendable {
    public var attribute: String
    /// Null for the results that have none.
    public var value: PredicateValue
    public var count: Int
}

/// Results that have a value in common.
public struct MetadataResultGroup: Hashable, Sendable {
    public var attribute: String
    public var value: PredicateValue
    public var results: [MetadataItem]
    /// By the next grouping attribute; empty at the last.
    public var subgroups: [MetadataResultGroup]
}

extension [MetadataItem] {
    /// The values of an attribute with how many items have each, the most frequent first, then in their order.
    ///
    /// An item with several values counts once for each of them. Values for which `common` says the same are one.
    public func valueList(
        _ attribute: String, common: (PredicateValue) -> PredicateValue = { $0 }
    ) -> [AttributeValueTuple] {
        groups(attribute, common).map {
            AttributeValueTuple(attribute: attribute, value: $0.value, count: $0.items.count)
        }
        .sorted { a, b in a.count != b.count ? a.count > b.count : SortKey(a.value) < SortKey(b.value) }
    }

    /// In groups by the first attribute, and each of those by the next, in the order of values. Values for which `common`
    /// says the same are one.
    public func grouped(
        by attributes: [String], common: (PredicateValue) -> PredicateValue = { $0 }
    ) -> [MetadataResultGroup] {
        guard let first = attributes.first else { return [] }
        let rest = Array<String>(attributes.dropFirst())
        return groups(first, common).sorted { SortKey($0.value) < SortKey($1.value) }.map { group in
            MetadataResultGroup(
                attribute: first, value: group.value, results: group.items,
                subgroups: group.items.grouped(by: rest, common: common))
        }
    }

    private func groups(
        _ attribute: String, _ common: (PredicateValue) -> PredicateValue
    ) -> [(value: PredicateValue, items: [MetadataItem])] {
        var places: [PredicateValue: Int] = [:]
        var groups: [(value: PredicateValue, items: [MetadataItem])] = []
        for item in self {
            for value in Set(Self.values(item.value(forAttribute: attribute)).map(common)) {
                if let place = places[value] {
                    groups[place].items.append(item)
                } else {
                    places[value] = groups.count
                    groups.append((value, [item]))
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
