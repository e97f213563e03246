import DriveCore
import Testing

@testable import FileCoordination

/// Claims within accesses, many at a time: what one of them costs grows with those that it has to do with, and no faster.
struct NestedClaimTests {
    private var arbiter = Arbiter()
    private var failed: [UInt64] = []
    private var granted: [UInt64] = []

    private mutating func claim(_ number: Int, _ intents: FileIntent..., purpose: String? = nil, inside: [Int] = []) {
        var request = ClaimRequest(purpose: purpose ?? "\(number)", intents: intents)
        request.inside = inside.map(ClaimID.test)
        arbiter.claim(.test(number), request)
        settle()
    }

    private mutating func release(_ number: Int) {
        arbiter.release(.test(number))
        settle()
    }

    private mutating func settle() {
        while true {
            let actions = arbiter.takeActions()
            if actions.isEmpty { return }
            for action in actions {
                switch action {
                case .lock(let id, _): arbiter.locked(id)
                case .grant(let id, _): granted.append(id.number)
                case .fail(let id, .deadlock): failed.append(id.number)
                default: break
                }
            }
        }
    }

    /// Each has an item of its own, and writes one that all share within that access. Were all looked at for each of them, this would
    /// take hours.
    @Test(.timeLimit(.minutes(20)), arguments: [100, 200])
    mutating func aCrowdWritesWhatAllShare(count: Int) {
        for number in 0..<count { claim(number, .writing(DrivePath("Own\(number)"))) }
        for number in 0..<count { claim(1_000 + number, .writing("Shared"), inside: [number]) }
        for number in 0..<count {
            #expect(granted.last == UInt64(1_000 + number))
            release(1_000 + number)
            release(number)
        }
        #expect(failed.isEmpty && arbiter.claims.isEmpty)
        // A few for each, however many there are.
        #expect(arbiter.looks < 10 * count, "\(arbiter.looks)")
    }

    /// Where each wants what another has, only one of a circle gives up, and all others come to their end.
    @Test(.timeLimit(.minutes(20)), arguments: [100, 200])
    mutating func aCrowdInCirclesComesToItsEnd(count: Int) {
        for number in 0..<count { claim(number, .reading(DrivePath("Item\(number % 4)"))) }
        for number in 0..<count {
            claim(1_000 + number, .writing(DrivePath("Item\((number + 1) % 4)")), inside: [number])
        }
        var ended: Set<UInt64> = []
        while let number = (granted + failed).first(where: { $0 >= 1_000 && !ended.contains($0) }) {
            ended.insert(number)
            release(Int(number))
            release(Int(number) - 1_000)
        }
        #expect(ended.count == count && arbiter.claims.isEmpty)
        #expect(!failed.isEmpty && failed.count < count)
        // All are concerned by each.
        #expect(arbiter.looks < 3 * count * count, "\(arbiter.looks)")
    }

    /// Who waits for an earlier one is looked at again as soon as that waits for what the later one is a part of.
    @Test mutating func whoBecomesAPartOfWhatIsWaitedForOvertakes() {
        claim(1, .writing("A"))
        claim(2, .writing("A"), .writing("B"), .writing("C"))
        claim(3, .writing("B"), purpose: "own")
        #expect(granted == [1])
        claim(4, .writing("C"), purpose: "own", inside: [1])
        #expect(granted == [1, 4, 3])
    }

    /// What deletes a folder and what is in it find one another, whatever lies between.
    @Test mutating func aFolderThatGoesAwayIsWaitedForFromDeepWithin() {
        claim(1, .writing("A/B/C/File"))
        claim(2, .writing("A", options: .forDeleting))
        claim(3, .reading("A/B"))
        claim(4, .reading("Ab/File"))
        #expect(granted == [1, 4])
        release(1)
        #expect(granted == [1, 4, 2])
        release(2)
        #expect(granted == [1, 4, 2, 3])
    }
}
