import Dispatch
import DriveCore

/// Steps of apply that presenters are being asked for, or have made way for: apply does not wait, and comes again.
struct PreparedSyncing: Sendable {
    /// No client has this number.
    static let client: UInt64 = 0

    private var last: UInt64 = 0
    private var steps: [ClaimID: [FileIntent]] = [:]
    private var ids: [[FileIntent]: ClaimID] = [:]
    private(set) var granted: Set<ClaimID> = []
    /// What somebody would not make way for, and is not asked for again at once.
    private var refused: Set<[FileIntent]> = []
    /// When apply asked for something last, or came for what was granted.
    private(set) var lastCall: DispatchTime?
    /// Apply will be told that something was granted, though others have not answered.
    var isTelling = false

    mutating func newID() -> ClaimID {
        last += 1
        return ClaimID(client: Self.client, number: last)
    }

    /// False where the same is asked for already, or was refused.
    mutating func begin(_ id: ClaimID, _ intents: [FileIntent]) -> Bool {
        if refused.contains(intents) || ids[intents] != nil { return false }
        steps[id] = intents
        ids[intents] = id
        lastCall = .now()
        return true
    }

    var allGranted: [(ClaimID, [FileIntent])] { granted.compactMap { id in steps[id].map { (id, $0) } } }

    /// Nobody is being asked for any of them.
    var areAllGranted: Bool { granted.count == steps.count }

    func isThere(_ id: ClaimID) -> Bool { steps[id] != nil }

    /// All that were asked for.
    mutating func dropAll() -> [ClaimID] {
        defer { (steps, ids, granted, refused) = ([:], [:], [], []) }
        return Array(steps.keys)
    }

    /// Nil where nobody waits for it any more.
    mutating func grant(_ id: ClaimID) -> [FileIntent]? {
        guard let intents = steps[id] else { return nil }
        granted.insert(id)
        return intents
    }

    /// The claim that is held for this step.
    mutating func take(_ intents: [FileIntent]) -> ClaimID? {
        guard let id = ids[intents], granted.contains(id) else { return nil }
        lastCall = .now()
        _ = expire(id)
        return id
    }

    /// What was refused; nil where nobody waits for it any more.
    mutating func refuse(_ id: ClaimID) -> [FileIntent]? {
        guard let intents = steps[id] else { return nil }
        _ = expire(id)
        refused.insert(intents)
        return intents
    }

    /// Whether it was refused until now; nil is for all.
    mutating func askAgain(_ intents: [FileIntent]? = nil) -> Bool {
        guard let intents else {
            defer { refused = [] }
            return !refused.isEmpty
        }
        return refused.remove(intents) != nil
    }

    /// False where apply has come for it.
    mutating func expire(_ id: ClaimID) -> Bool {
        guard let intents = steps.removeValue(forKey: id) else { return false }
        ids[intents] = nil
        granted.remove(id)
        return true
    }
}
