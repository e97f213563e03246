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
        let found = candidates(at: key, keys: keys)
        if found.count < 2 { return found }
        var seen: Set<ID> = []
        return found.filter { seen.insert($0).inserted }
    }

    /// As `ids`, and some perhaps several times: for who does not come to most of them.
    mutating func candidates(at key: Key, keys: (ID) -> [Key]) -> [ID] {
        for id in unplaced { for key in keys(id) { place(id, key) } }
        unplaced.removeAll()
        return places[key].map { [$0.first] + $0.others } ?? []
    }

    private mutating func place(_ id: ID, _ key: Key) {
        if places[key]?.others.append(id) == nil { places[key] = Found(first: id) }
    }
}
