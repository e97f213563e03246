/// The order in which moves of one operation can be reversed: what has the name that another item is to have back goes first.
/// Where the last of such a chain is to have the name of the first, they have changed places.
struct MoveChains {
    private let events: [DriveEvent]
    /// The moves to each path, the last first.
    private var places: [Key: [Int]] = [:]
    /// What else happened at paths.
    private var others: [Key: [Int]] = [:]
    private var taken: Set<Int> = []

    private struct Key: Hashable {
        var operation: UInt64?
        var path: DrivePath
    }

    struct Chain {
        /// What happened to what is moved after it was moved, and has to be reversed first.
        var first: [DriveEvent] = []
        /// Each was to where the next one is now.
        var events: [DriveEvent]
        var isCycle = false
    }

    /// Of several operations, the last first.
    init(_ events: [DriveEvent]) {
        self.events = events
        for (place, event) in events.enumerated() {
            let key = Key(operation: event.operation?.id, path: event.path)
            if event.isMove { places[key, default: []].append(place) } else { others[key, default: []].append(place) }
        }
    }

    func isTaken(_ place: Int) -> Bool { taken.contains(place) }

    /// An event, with the moves that have to be reversed before it. `isAsLeft` tells of a move whether what it moved is where it
    /// left it: what is not has to be reversed by itself, or cannot be.
    mutating func take(_ place: Int, isAsLeft: (DriveEvent) throws -> Bool) rethrows -> Chain {
        var chain = Chain(events: [events[place]])
        taken.insert(place)
        guard events[place].isMove, try isAsLeft(events[place]) else { return chain }
        while let last = chain.events.last, let from = last.from {
            if from == events[place].path {
                chain.isCycle = chain.events.count > 1
                break
            }
            let key = Key(operation: last.operation?.id, path: from)
            guard let next = places[key]?.first(where: { !taken.contains($0) }), try isAsLeft(events[next]) else {
                break
            }
            for other in laterThings(than: next, since: place, key) where taken.insert(other).inserted {
                chain.first.append(events[other])
            }
            taken.insert(next)
            chain.events.append(events[next])
        }
        return chain
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

extension DriveEvent {
    /// That both sides of a conflict were kept moves nothing.
    fileprivate var isMove: Bool { from != nil && kind != .resolved }
}
