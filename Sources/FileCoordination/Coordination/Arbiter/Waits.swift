import DriveCore

/// Who waits for whom at one moment. Claims are named by their places, which are in the order of asking.
///
/// What is found out for one is kept for all others, and nobody is looked at who has no item in common with whoever is asked
/// about: many that wait for one item, each within an access of its own, cost no more than their number.
final class Waits {
    let claims: [Claim]
    let places: [ClaimID: Int]
    private let presenters: [PresenterID: Presentation]
    /// What others may be a part of, by its purpose: what is held, and what presenters are asked for.
    private var needed: [String: Need] = [:]
    private var waiters: [Int: Set<Int>] = [:]
    private(set) var known: ClaimIndex?
    /// How many pairs of claims were looked at.
    private(set) var looks = 0

    private struct Need {
        var places: [Int] = []
        /// When one of them began last to be needed.
        var latest: UInt64 = 0
    }

    init(_ claims: [Claim], _ presenters: [PresenterID: Presentation], _ index: ClaimIndex?) {
        (self.claims, self.presenters, known) = (claims, presenters, index)
        places = Dictionary(uniqueKeysWithValues: claims.enumerated().map { ($1.id, $0) })
        for (place, claim) in claims.enumerated() {
            for purpose in purposes(within: claim) {
                var need = needed.removeValue(forKey: purpose) ?? Need()
                need.places.append(place)
                need.latest = max(need.latest, claim.needed)
                needed[purpose] = need
            }
        }
    }

    var index: ClaimIndex {
        if let known { return known }
        let index = ClaimIndex(claims)
        known = index
        return index
    }

    /// What is asked for under one of these is a part of the claim, which does not end before.
    private func purposes(within claim: Claim) -> Set<String> {
        switch claim.stage {
        case .held: [claim.request.purpose]
        case .asking: Set(claim.asked.values.compactMap { presenters[$0]?.purpose })
        case .waiting, .locking: []
        }
    }

    /// Claims that cannot end before this one does: it is part of the access, or of what a presenter does to make way.
    private func needing(_ claim: Claim) -> Set<Int> {
        let request = claim.request
        var found = Set(needed[request.purpose]?.places ?? [])
        for purpose in request.joined ?? [] { found.formUnion(needed[purpose]?.places ?? []) }
        for id in request.inside { if let place = places[id], claims[place].stage == .held { found.insert(place) } }
        return found
    }

    /// When something began last that cannot end before this one.
    private func lastNeed(_ claim: Claim) -> UInt64 {
        let request = claim.request
        var last = needed[request.purpose]?.latest ?? 0
        for purpose in request.joined ?? [] { last = max(last, needed[purpose]?.latest ?? 0) }
        for id in request.inside { if let place = places[id] { last = max(last, claims[place].needed) } }
        return last
    }

    private func heeds(_ one: Int, _ other: Int) -> Bool {
        looks += 1
        return one != other && claims[one].request.heeds(claims[other].request)
    }
}

// What keeps a claim from its turn.
extension Waits {
    /// Whether what it was seen to wait for tells at a glance that it still waits.
    func keepsWaiting(_ claim: Claim) -> Bool {
        guard let witness = claim.witness, let place = places[witness] else { return false }
        switch claims[place].stage {
        case .held, .locking: return true
        case .asking: return purposes(within: claims[place]).allSatisfy { !claim.request.belongsTo($0) }
        // It may have come to wait for the end of something that began since then.
        case .waiting: return lastNeed(claim) <= claim.lookedAt
        }
    }

    /// The one that came last, which is there longest; nil where it is the claim's turn.
    func lastBlocker(of place: Int) -> Int? {
        let needing = needing(claims[place])
        var last: Int?
        for list in index.lists(around: place) {
            for other in index.lists[list].reversed() {
                if let last, other <= last { break }
                guard isInTheWay(other, of: place, needing) else { continue }
                last = other
                break
            }
        }
        return last
    }

    /// A claim that may not be granted beside this one is held: a presenter that saves has overtaken it.
    func isHeldAgainst(_ place: Int) -> Bool {
        index.lists(around: place).contains { list in
            index.lists[list].contains { claims[$0].stage == .held && heeds($0, place) }
        }
    }

    private func isInTheWay(_ other: Int, of place: Int, _ needing: Set<Int>) -> Bool {
        switch claims[other].stage {
        case .held: heeds(other, place)
        case .locking, .asking: !needing.contains(other) && heeds(other, place)
        case .waiting: other < place && heeds(other, place) && !needing.contains { waiters(of: $0).contains(other) }
        }
    }

    /// All that wait for the end of this one, or for one that does.
    private func waiters(of goal: Int) -> Set<Int> {
        if let known = waiters[goal] { return known }
        var (found, open) = (Set<Int>(), [goal])
        // Whoever was found is not looked at again.
        var left: [Int: [Int]] = [:]
        while let next = open.popLast() {
            let isFirst = next == goal
            for list in index.lists(around: next) {
                var rest = left.removeValue(forKey: list) ?? index.lists[list].filter { claims[$0].stage == .waiting }
                var others: [Int] = []
                while let other = rest.last, isFirst || other > next {
                    rest.removeLast()
                    if found.contains(other) { continue }
                    if !heeds(other, next) {
                        others.append(other)
                    } else if found.insert(other).inserted {
                        open.append(other)
                    }
                }
                rest += others.reversed()
                left[list] = rest
            }
        }
        waiters[goal] = found
        return found
    }
}

// Who waits for one another without end.
extension Waits {
    /// Claims each of which waits for the next, and the last for the first.
    func cycle() -> [Int]? {
        guard claims.contains(where: \.isPart) else { return nil }
        var search = CycleSearch(self)
        for (place, claim) in claims.enumerated() where claim.stage == .waiting || claim.stage == .asking {
            if let cycle = search.cycle(from: place) { return cycle }
        }
        return nil
    }

    /// Which of these, claims of one list, are in the way of a claim.
    func blockers(of place: Int, among others: [Int]) -> [Int] {
        let needing = needing(claims[place])
        return others.filter { isInTheWay($0, of: place, needing) }
    }

    func heldAgainst(_ place: Int, among others: [Int]) -> [Int] {
        others.filter { claims[$0].stage == .held && heeds($0, place) }
    }
}
