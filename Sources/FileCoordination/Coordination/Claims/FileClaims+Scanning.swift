public import DriveCore

/// A scan never waits for who writes an item, and takes nothing up that may be half-way.
extension FileClaims {
    /// Whether somebody else has the item to write it: neither what is there nor that nothing is there is to be believed.
    /// `whenFreed` tells when to look again, there and at `other`. Accesses that the running task is a part of do not count.
    func isBeingWritten(_ path: DrivePath, orSeenAt other: DrivePath? = nil) -> Bool {
        let (isWritten, polls) = state.withLock { state -> (Bool, Bool) in
            if isNobodyThere(&state) { return (false, false) }
            let intents = [FileIntent.reading(path)]
            let part = TaskPart.current
            let isFree = state.arbiter.isFree(request(intents, part.purposes.union([Self.act])))
            guard !isFree || waitsForOrphans(&state) || state.locks?.areFree(intents, within: part.outer) == false
            else {
                return (false, false)
            }
            state.refused.unread.formUnion([path, other ?? path])
            if isFree { awaitLocks(state.prepared.newID(), intents, &state) }
            return (true, isFree)
        }
        if polls { poll() }
        return isWritten
    }

    /// Whether anybody else may have anything. What is asked of each file is asked for only then.
    var isAnybodyThere: Bool { state.withLock { !isNobodyThere(&$0) } }

    private func isNobodyThere(_ state: inout State) -> Bool {
        state.arbiter.claims.isEmpty && state.locks?.isAnybodyElseThere != true
    }
}

/// What somebody had when syncing wanted it, and has no more.
public struct FreedItems: Sendable {
    /// Apply left something for a later turn.
    public var concernsApply = false
    /// What a scan has not read.
    public var unread: Set<DrivePath> = []

    var isEmpty: Bool { !concernsApply && unread.isEmpty }
}
