import DriveCore

/// Which claims are about which items: two that have nothing in common never look at one another.
///
/// Claims are named by their places in the order of asking. Preparations keep nobody from anything, and are in no list.
struct ClaimIndex: Sendable {
    /// Places, ascending.
    private(set) var lists: [[Int]] = []
    private var items: [DrivePath: Item] = [:]
    /// Ascending, so that what is in a folder is in a row; empty where nobody has a folder with all that is in it.
    private var sorted: [DrivePath] = []
    private var wishes: [[Wish]]

    /// The lists of those who use an item.
    private struct Item: Sendable {
        var writers: Int?
        var readers: Int?
        /// Of the writers those that have all that is in the item, too.
        var takers: Int?
    }

    private struct Wish: Sendable {
        var item: DrivePath
        var writes: Bool
        var takes: Bool
    }

    init(_ claims: [Claim]) {
        wishes = claims.map { claim in
            if claim.request.isPreparation { return [] }
            return claim.request.intents.map { intent in
                Wish(
                    item: intent.path.coordinatedItem, writes: intent.isWriting,
                    takes: intent.writing?.includesContents == true)
            }
        }
        for (place, wishes) in wishes.enumerated() {
            for wish in wishes {
                note(place, in: wish.writes ? \.writers : \.readers, of: wish.item)
                if wish.takes { note(place, in: \.takers, of: wish.item) }
            }
        }
        if items.values.contains(where: { $0.takers != nil }) { sorted = items.keys.sorted() }
    }

    private mutating func note(_ place: Int, in kind: WritableKeyPath<Item, Int?>, of path: DrivePath) {
        let list = items[path]?[keyPath: kind] ?? lists.count
        if list == lists.count {
            lists.append([])
            items[path, default: Item()][keyPath: kind] = list
        }
        // One claim may name an item twice.
        if lists[list].last != place { lists[list].append(place) }
    }

    /// The lists of all that this one may be in the way of, or that may be in its way. Some claims are in several.
    func lists(around place: Int) -> Set<Int> {
        var found = Set<Int?>()
        for wish in wishes[place] {
            users(of: wish.item, writersAlone: !wish.writes, &found)
            if sorted.isEmpty { continue }
            for depth in wish.item.components.indices {
                found.insert(items[DrivePath(Array(wish.item.components[..<depth]))]?.takers)
            }
            guard wish.takes else { continue }
            for inner in sorted[sorted.partition { !($0 < wish.item) }...] {
                guard inner.isInside(wish.item) else { break }
                users(of: inner, writersAlone: false, &found)
            }
        }
        return Set(found.compactMap { $0 })
    }

    private func users(of item: DrivePath, writersAlone: Bool, _ found: inout Set<Int?>) {
        found.insert(items[item]?.writers)
        if !writersAlone { found.insert(items[item]?.readers) }
    }
}
