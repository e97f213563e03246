import DriveCore

// Acts.
extension FileClaims {
    /// Runs the body if nobody uses these items and nobody has to be asked for them; nil, and nothing is done, where it would
    /// have to be waited for. For what the running task is a part of it is not waited.
    package func actAtOnce<Result>(
        _ intents: [FileIntent], beneath root: [UInt8],
        _ body: () async throws -> (Result, moves: [(DrivePath, DrivePath)])
    ) async throws -> Result? {
        let part = TaskPart.current
        let request = ClaimRequest(purpose: Self.act, intents: intents, joined: part.purposes, outer: part.outer)
        let id = state.withLock { state -> ClaimID? in
            if state.arbiter.concernsPresenters(request) { return nil }
            let id = state.prepared.newID()
            return self.claim(id, request, &state) ? id : nil
        }
        guard let id else { return nil }
        let access = HeldAccess(intents, root: root)
        var moved: [ItemMove] = []
        defer { change { $0.arbiter.release(id, moved: moved, access.report) } }
        let (result, moves) = try await body()
        moved = moves.map { ItemMove(from: $0, to: $1) }
        return result
    }

    /// What a pass does beside its steps: without waiting; nil where somebody uses one of them. Whoever shows one is asked, and
    /// the pass is told when it may try again.
    package func claimForSyncing(_ intents: [FileIntent], beneath root: [UInt8]) -> SyncingClaim? {
        let access = HeldAccess(intents, root: root)
        return trySyncing(intents).map { SyncingClaim(id: $0, access: access) }
    }

    package func end(_ claim: SyncingClaim) { endSyncing(claim.id, claim.access.report) }

    static let act = "docdrive.act"
}

/// Items that a pass has.
package struct SyncingClaim {
    let id: ClaimID
    let access: HeldAccess
}
