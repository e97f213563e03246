/// What became different in the results of a query.
public struct MetadataChanges: Hashable, Sendable {
    public var added: [MetadataItem]
    /// As they are now; an item that was moved is changed, not removed and added.
    public var changed: [MetadataItem]
    /// As they were.
    public var removed: [MetadataItem]

    public init(added: [MetadataItem] = [], changed: [MetadataItem] = [], removed: [MetadataItem] = []) {
        self.added = added
        self.changed = changed
        self.removed = removed
    }

    /// From one result to the next; each list in the order of its result.
    public init(from old: [MetadataItem], to new: [MetadataItem]) {
        let before = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
        let ids = Set(new.map(\.id))
        added = new.filter { before[$0.id] == nil }
        changed = new.filter { item in before[item.id].map { $0 != item } ?? false }
        removed = old.filter { !ids.contains($0.id) }
    }

    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

/// What happens to a query, in this order: gathering, its end, then updates until it is stopped.
public enum MetadataQueryEvent: Sendable {
    case startedGathering
    /// The first results are complete. `MetadataQuery.results` may be later ones already, whose update comes next.
    case finishedGathering([MetadataItem])
    case updated(MetadataChanges)
    /// The query ends here, with the results that it had: the index cannot be read, or the predicate compares what cannot
    /// be compared.
    case failed(any Error)
}
