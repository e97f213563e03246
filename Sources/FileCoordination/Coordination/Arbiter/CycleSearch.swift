import DriveCore

/// A walk along who waits for whom, which looks at each claim once.
struct CycleSearch {
    private let waits: Waits
    private var claims: [Claim] { waits.claims }
    /// Nobody who waits for itself is behind them.
    private var done: Set<Int> = []
    private var left: [Int: Rest] = [:]
    /// Not granted yet, by what they are part of.
    private let parts: [ClaimID: [Int]]
    /// Asked for while a presenter answers.
    private let answers: [PresenterID: [Int]]

    /// Of one list those that are not done.
    private struct Rest {
        var waiting: ArraySlice<Int>
        var others: ArraySlice<Int>

        init(_ list: [Int], _ claims: [Claim]) {
            waiting = list.filter { claims[$0].stage == .waiting }[...]
            others = list.filter { claims[$0].stage != .waiting }[...]
        }
    }

    private struct Visit {
        let place: Int
        var awaited: ArraySlice<Int>
    }

    init(_ waits: Waits) {
        self.waits = waits
        var (parts, answers) = ([ClaimID: [Int]](), [PresenterID: [Int]]())
        var asked: [UInt64: PresenterID] = [:]
        for claim in waits.claims { asked.merge(claim.asked) { $1 } }
        for (place, claim) in waits.claims.enumerated() {
            if claim.stage != .held { for id in claim.request.inside { parts[id, default: []].append(place) } }
            if let presenter = claim.request.answering.flatMap({ asked[$0] }) {
                answers[presenter, default: []].append(place)
            }
        }
        (self.parts, self.answers) = (parts, answers)
    }

    mutating func cycle(from start: Int) -> [Int]? {
        if done.contains(start) { return nil }
        var (path, depths) = ([visit(start)], [start: 0])
        while let last = path.last {
            guard let next = last.awaited.first else {
                done.insert(last.place)
                depths[last.place] = nil
                path.removeLast()
                continue
            }
            path[path.count - 1].awaited.removeFirst()
            if let depth = depths[next] { return path[depth...].map(\.place) }
            if done.contains(next) { continue }
            depths[next] = path.count
            path.append(visit(next))
        }
        return nil
    }

    private mutating func visit(_ place: Int) -> Visit {
        Visit(place: place, awaited: Set(awaited(by: place)).sorted()[...])
    }

    /// What has to end, or to be granted, before this claim can go on.
    private mutating func awaited(by place: Int) -> [Int] {
        let claim = claims[place]
        switch claim.stage {
        case .waiting: return waits.blockers(of: place, among: candidates(of: place))
        case .locking: return []
        case .asking:
            if claim.isAnswered { return waits.heldAgainst(place, among: candidates(of: place)) }
            // A presenter answers one question after the other.
            return Set(claim.asked.values).flatMap { answers[$0] ?? [] }
        case .held: return parts[claim.id] ?? []
        }
    }

    private mutating func candidates(of place: Int) -> [Int] {
        waits.index.lists(around: place).flatMap { list in
            var rest = left.removeValue(forKey: list) ?? Rest(waits.index.lists[list], claims)
            while let first = rest.waiting.first, done.contains(first) { rest.waiting.removeFirst() }
            while let first = rest.others.first, done.contains(first) { rest.others.removeFirst() }
            left[list] = rest
            return rest.others + rest.waiting.prefix { $0 < place }
        }.filter { !done.contains($0) }
    }
}
