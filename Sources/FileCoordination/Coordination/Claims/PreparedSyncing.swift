import DriveCore

/// Steps of apply that presenters are being asked for, or have made way for: apply does not wait, and comes again.
struct PreparedSyncing: Sendable {
    /// No client has this number.
    static let client: UInt64 = 0

    private var last: UInt64 = 0
    private var steps: [ClaimID: (intents: [FileIntent], isGranted: Bool)] = [:]
    /// What somebody would not make way for, and is not asked for again at once.
    private var refused: Set<[FileIntent]> = []

    mutating func newID() -> ClaimID {
        last += 1
        return ClaimID(client: Self.client, number: last)
    }

    /// False where the same is asked for already, or was refused.
    mutating func begin(_ id: ClaimID, _ intents: [FileIntent]) -> Bool {
        if refused.contains(intents) { return false }
        if steps.values.contains(where: { $0.intents == intents }) { return false }
        steps[id] = (intents, false)
        return true
    }

    var granted: [(ClaimID, [FileIntent])] { steps.filter(\.value.isGranted).map { ($0.key, $0.value.intents) } }

    /// All that were asked for.
    mutating func dropAll() -> [ClaimID] {
        defer { (steps, refused) = ([:], []) }
        return Array(steps.keys)
    }

    mutating func grant(_ id: ClaimID) { steps[id]?.isGranted = true }

    /// The claim that is held for this step.
    mutating func take(_ intents: [FileIntent]) -> ClaimID? {
        guard let id = steps.first(where: { $0.value.isGranted && $0.value.intents == intents })?.key else {
            return nil
        }
        steps[id] = nil
        return id
    }

    /// What was refused; nil where nobody waits for it any more.
    mutating func refuse(_ id: ClaimID) -> [FileIntent]? {
        guard let step = steps.removeValue(forKey: id) else { return nil }
        refused.insert(step.intents)
        return step.intents
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
    mutating func expire(_ id: ClaimID) -> Bool { steps.removeValue(forKey: id) != nil }
}
