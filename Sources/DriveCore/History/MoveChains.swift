/// The order in which moves of one operation can be reversed: what has the name that another item is to have back goes first.
/// Where the last of such a chain is to have the name of the first, they have changed places.
struct MoveChains {
    private let events: [DriveEvent]
    /// The moves to each path, the last first.
    private var places: [Key: [Int]] = [:]
    /// What else happened at paths.
    private var others: [Key: [Int]] = [:]
    private var taken: Set<Int> = []
    private let folders: FolderMoves

    private struct Key: Hashable {
        var operation: UInt64?
        var path: DrivePath
    }

    struct Chain {
        /// What happened to what is moved after it was moved, and has to be reversed first.
        var first: [Link] = []
        /// Each was to where the next one is now.
        var links: [Link]
        /// The last is to have the name of the first.
        var isCycle = false
        /// What came out of a folder while two had its name in the log, the one that came and the one that waited aside: nothing
        /// tells which it was.
        var unclear: [Int] = []
    }

    /// An event; a move with the paths that it would have had right before the first of its chain, and after it, whatever folders
    /// were moved between.
    struct Link {
        var place: Int
        var event: DriveEvent
        var current: DriveEvent

        init(_ place: Int, _ event: DriveEvent) { (self.place, self.event, current) = (place, event, event) }
    }

    /// Of several operations, the last first.
    init(_ events: [DriveEvent]) {
        self.events = events
        folders = FolderMoves(events)
        for (place, event) in events.enumerated() {
            let key = Key(operation: event.operation?.id, path: event.path)
            if event.isMove { places[key, default: []].append(place) } else { others[key, default: []].append(place) }
        }
    }

    func isTaken(_ place: Int) -> Bool { taken.contains(place) }

    /// An event, with the moves that have to be reversed before it. `isAsLeft` tells of a move whether what it moved is where it
    /// left it: what is not has to be reversed by itself, or cannot be.
    mutating func take(_ place: Int, isAsLeft: (DriveEvent) throws -> Bool) rethrows -> Chain {
        var chain = Chain(links: [Link(place, events[place])])
        taken.insert(place)
        guard events[place].isMove, try isAsLeft(events[place]) else { return chain }
        while let last = chain.links.last, let from = events[last.place].from {
            if last.event.from == events[place].path {
                chain.isCycle = chain.links.count > 1
                if chain.isCycle { chain.unclear = takeUnclear(chain) }
                break
            }
            let key = Key(operation: last.event.operation?.id, path: from)
            guard let next = places[key]?.first(where: { !taken.contains($0) }) else { break }
            let link = carried(next, beyond: chain)
            guard try isAsLeft(link.event) else { break }
            for other in laterThings(than: next, since: place, key) where taken.insert(other).inserted {
                chain.first.append(Link(other, events[other]))
            }
            taken.insert(next)
            chain.links.append(link)
        }
        return chain
    }

    private mutating func takeUnclear(_ cycle: Chain) -> [Int] {
        let names = cycle.links.filter { $0.event.after == nil }.map(\.event.path)
        let places = cycle.links.map(\.place)
        guard !names.isEmpty, let oldest = places.max(), let newest = places.min() else { return [] }
        let operation = cycle.links[0].event.operation?.id
        let unclear = (newest..<oldest).filter { other in
            let event = events[other]
            guard !taken.contains(other), event.isMove, event.operation?.id == operation, let from = event.from else {
                return false
            }
            return names.contains { from != $0 && from.isInside($0) }
        }
        taken.formUnion(unclear)
        return unclear
    }

    /// Folders that were moved since, and are not back yet, have taken along what lies in them.
    private func carried(_ place: Int, beyond chain: Chain) -> Link {
        var link = Link(place, events[place])
        let operation = link.event.operation?.id
        func carried(_ path: DrivePath, until end: Int) -> DrivePath {
            folders.later(path, since: place, operation, until: end) { folder in
                taken.contains(folder) && !chain.links.contains { $0.place == folder }
            }
        }
        func carry(_ event: inout DriveEvent, until end: Int) {
            (event.path, event.from) = (carried(event.path, until: end), event.from.map { carried($0, until: end) })
        }
        carry(&link.event, until: chain.links[0].place)
        carry(&link.current, until: chain.links[0].place - 1)
        return link
    }

    /// What happened to what a move had moved, or in that folder; the last first.
    private func laterThings(than move: Int, since place: Int, _ key: Key) -> [Int] {
        if events[move].after != nil { return (others[key] ?? []).filter { $0 < move } }
        return events.indices[..<move].filter { other in
            let (event, path) = (events[other], events[move].path)
            return other != place && event.operation?.id == key.operation && event.path.isInside(path)
                && (event.path != path || !event.isMove)
        }
    }
}
