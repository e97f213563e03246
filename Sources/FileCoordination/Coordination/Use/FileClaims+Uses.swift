import DriveCore
import Glibc

// Who is in the way.
extension FileClaims {
    /// Who has what now, as far as it was asked for here.
    public var uses: [ItemUse] {
        let held = state.withLock { state in
            state.arbiter.claims.filter { $0.stage == .held && $0.id.client != PreparedSyncing.client }.map { claim in
                (
                    claim.request.intents.map(\.path), state.processes[claim.id.client] ?? getpid(),
                    state.granted[claim.id]
                )
            }
        }
        return held.flatMap { paths, process, since in paths.map { ItemUse($0, process: process, since: since) } }
    }

    /// Who has what is wanted, as far as anybody knows: it may be free when this returns. Does not count accesses that the
    /// running task is a part of.
    public func uses(inTheWayOf intents: [FileIntent]) -> [ItemUse] {
        let known = knownUses(inTheWayOf: intents, TaskPart.current.purposes)
        guard known.isEmpty, let lockFile else { return known }
        return Self.uses(inTheWayOf: intents, lockFile: lockFile)
    }

    /// As the kernel knows them, of other processes; for whoever has no arbiter to ask.
    /// `watcher` has the locks of those whom it lets use items.
    public static func uses(
        inTheWayOf intents: [FileIntent], lockFile: [UInt8], except watcher: Int32? = nil
    ) -> [ItemUse] {
        let locks = Dictionary(
            grouping: LockHolders.others(file: lockFile).filter { $0.process != watcher }, by: \.place)
        guard !locks.isEmpty else { return [] }
        return intents.flatMap { intent in
            ClaimLocks.places(of: [intent]).flatMap { place, isAlone in
                (locks[place] ?? []).filter { isAlone || $0.isAlone }.map(\.process)
            }.sorted().prefix(1).map { ItemUse(intent.path, process: $0) }
        }
    }

    private func knownUses(inTheWayOf intents: [FileIntent], _ purposes: Set<String>) -> [ItemUse] {
        let request = ClaimRequest(purpose: Self.act, intents: intents, joined: purposes)
        let found = state.withLock { state in
            state.arbiter.claims.filter { $0.stage != .waiting && $0.request.conflicts(with: request) }.compactMap {
                claim -> (DrivePath, Int32, UInt64?)? in
                let path = claim.request.intents.first { own in intents.contains { $0.conflicts(with: own) } }?.path
                return path.map { ($0, state.processes[claim.id.client] ?? getpid(), state.granted[claim.id]) }
            }
        }
        return found.map { ItemUse($0.0, process: $0.1, since: $0.2) }
    }
}
