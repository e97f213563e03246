/// Where the values of a transaction that are not yet in the tables are now: by a key that each has none, one or several of.
///
/// Most are never looked for by most keys, so what was added is put in its places only when somebody asks. What has another
/// key since stays where it was too: who asks looks at each value that is found.
struct WaitingIndex<Key: Hashable, ID: Hashable> {
    private var places: [Key: Found] = [:]
    private var unplaced: [ID] = []

    /// Nearly always one, which then needs no memory of its own.
    private struct Found {
        var first: ID
        var others: [ID] = []
    }

    /// A value that is new, or that has other keys than before.
    mutating func add(_ id: ID) { unplaced.append(id) }

    /// All that have the key, and perhaps some that had it; each once.
    mutating func ids(at key: Key, keys: (ID) -> [Key]) -> [ID] {
        for id in unplaced { for key in keys(id) { place(id, key) } }
        unplaced.removeAll()
        guard let found = places[key] else { return [] }
        if found.others.isEmpty { return [found.first] }
        var seen: Set<ID> = [found.first]
        return [found.first] + found.others.filter { seen.insert($0).inserted }
    }

    private mutating func place(_ id: ID, _ key: Key) {
        if places[key]?.others.append(id) == nil { places[key] = Found(first: id) }
    }
}
