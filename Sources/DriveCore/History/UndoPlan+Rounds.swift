// In which order the changes of one operation are reversed.
extension UndoPlan {
    /// What one operation did. Where something is in the way of a change, another one may take it away: those are tried again,
    /// as long as that helps.
    mutating func reverse(_ events: [DriveEvent], _ ground: some UndoGround) throws {
        var waiting = events
        newFolders = Set(events.filter { $0.kind == .added && $0.before == nil && $0.after == nil }.map(\.path))
        for _ in 0..<Self.mostRounds {
            let blocked = try tryToReverse(waiting, ground)
            if blocked.count == waiting.count { break }
            waiting = blocked
        }
        for event in waiting { try reverse(event, ground) }
    }

    private static let mostRounds = 64

    /// Returns those that something is in the way of.
    private mutating func tryToReverse(_ events: [DriveEvent], _ ground: some UndoGround) throws -> [DriveEvent] {
        var events = events
        var blocked: [Int] = []
        var chains = MoveChains(events)
        awaited = Set(events.filter { $0.isMove && $0.left == .folder }.compactMap(\.from))
        isTrying = true
        defer { isTrying = false }
        for place in events.indices where !chains.isTaken(place) {
            let chain = try chains.take(place) { try isAsLeft($0, ground) }
            // What has the name that something is to have back goes first.
            var waiting = chain.isCycle ? chain.first : chain.first + chain.links.reversed()
            while !waiting.isEmpty {
                let link = waiting.removeFirst()
                isBlocked = false
                let known = moves.groups.count
                try reverse(link.current, ground)
                if isBlocked { blocked.append(link.place) }
                for group in moves.groups[known...] {
                    for place in waiting.indices { waiting[place].current.carry(group) }
                    for place in blocked where place < link.place { events[place].carry(group) }
                }
            }
            if chain.isCycle {
                let known = moves.groups.count
                try rotateBack(chain.links.map(\.event), ground)
                for group in moves.groups[known...] {
                    for place in blocked where place < chain.links[0].place { events[place].carry(group) }
                }
            }
            for place in chain.unclear { try stopIfThere(events[place], ground) }
        }
        return blocked.sorted().map { events[$0] }
    }
}
