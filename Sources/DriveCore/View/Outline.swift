/// The tree of items by the names and folders that they bear themselves: what the view shows, less conflict copies and moves
/// that undo each other. In a tenth of the memory of `FullView`, for whoever counts what a store holds.
///
/// Takes records twice: first all their ids are announced, so that only items of several records are kept whole.
public struct Outline {
    private struct Item {
        var parent: ItemID
        var name: FileName
        var kind: ItemKind
        var size: UInt64
        var hash: ContentHash?
        var isAlive: Bool
    }

    /// What lies at a path.
    public struct Found: Hashable, Sendable {
        public var kind: ItemKind
        /// In bytes, of a file; 0 for others.
        public var size: UInt64
        /// Of a file's content or a link's target.
        public var hash: ContentHash?

        public init(kind: ItemKind, size: UInt64, hash: ContentHash?) {
            self.kind = kind
            self.size = size
            self.hash = hash
        }
    }

    private var announced: Set<ItemID> = []
    private var repeated: Set<ItemID> = []
    private var joined: [ItemID: ItemState] = [:]
    private var items: [ItemID: Item] = [:]
    /// Of those that live only if all folders of one of these lists do.
    private var conditions: [ItemID: [[ItemID]]] = [:]

    public init() {}

    public mutating func announce(_ ids: some Sequence<ItemID>) {
        for id in ids where !announced.insert(id).inserted { repeated.insert(id) }
    }

    public mutating func add(_ record: ItemState) {
        if repeated.contains(record.id) {
            joined[record.id] = joined[record.id]?.joined(record) ?? record
        } else {
            take(record)
        }
    }

    private mutating func take(_ state: ItemState) {
        let isAlive = state.life.contains(where: \.mark.isEmpty)
        if !isAlive {
            let marks = state.life.map(\.mark).filter { !$0.bySelf }
            if !marks.isEmpty { conditions[state.id] = marks.map(\.folders) }
        }
        let heads = state.heads.filter(\.mark.isEmpty)
        let head = (heads.isEmpty ? state.heads : heads).max { ($0.time, $0.dot) < ($1.time, $1.dot) }
        items[state.id] = Item(
            parent: state.parent, name: state.name.value, kind: state.kind, size: head?.content.size ?? 0,
            hash: state.kind == .folder ? nil : head?.content.hash, isAlive: isAlive)
    }

    /// Ends the taking. Each path once; nothing deeper than `DrivePath.deepest`.
    public consuming func paths() -> [DrivePath: Found] {
        var outline = self
        for state in outline.joined.values { outline.take(state) }
        outline.findAlive()
        return outline.climb()
    }

    /// V0.
    private mutating func findAlive() {
        var isChanging = true
        while isChanging {
            isChanging = false
            for (id, lists) in conditions where lists.contains(where: { $0.allSatisfy(isLiveFolder) }) {
                items[id]?.isAlive = true
                conditions[id] = nil
                isChanging = true
            }
        }
    }

    private func isLiveFolder(_ id: ItemID) -> Bool { items[id].map { $0.isAlive && $0.kind == .folder } ?? false }

    /// V3: what lives, and the folders above it.
    private func climb() -> [DrivePath: Found] {
        var result: [DrivePath: Found] = [:]
        /// Nil for what is not in the tree.
        var known: [ItemID: DrivePath?] = [.root: .root]
        // In order, so that always the same one of several stands for their name.
        for id in items.keys.sorted() where items[id]!.isAlive {
            var chain: [ItemID] = []
            var place = id
            while known[place] == nil {
                // Whoever meets it again on the way up is in a ring.
                known[place] = .some(nil)
                chain.append(place)
                guard let item = items[place] else { break }
                place = isFolder(item.parent) ? item.parent : .root
            }
            for id in chain.reversed() {
                guard let item = items[id], let above = known[place] ?? nil,
                    above.components.count < DrivePath.deepest
                else { break }
                let path = above.appending(item.name)
                // Of what shares a name, a folder comes first.
                if result[path] == nil || item.kind == .folder {
                    result[path] = Found(
                        kind: item.kind, size: item.kind == .file ? item.size : 0, hash: item.hash)
                }
                known[id] = path
                place = id
            }
        }
        return result
    }

    /// V1: what is no folder counts as the root; what is not known, as not in the tree.
    private func isFolder(_ id: ItemID) -> Bool { items[id].map { $0.kind == .folder } ?? (id != .root) }
}
