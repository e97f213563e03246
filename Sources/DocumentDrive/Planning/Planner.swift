import DriveCore
import FileCoordination

/// Runs an engine that can change nothing as far as it goes, and reads off the rest.
struct Planner {
    let engine: DriveEngine
    private var state: any DriveState { engine.parts.state }

    init(_ engine: DriveEngine) { self.engine = engine }

    func plan(_ ignoring: IgnoreKeeper) async throws -> SyncPlan {
        if try engine.isBeforeJoin { try await engine.joinFirst() }
        try await ignoring.refresh(engine)
        let unsent = try self.unsent()
        var known = try state.events(limit: .max).count
        _ = try await engine.scan()
        known = try state.events(limit: .max).count - known
        var plan = SyncPlan()
        for event in try state.events(limit: known).reversed() {
            let row = try state.row(at: event.path)
            let bytes = event.kind == .added || event.kind == .edited ? row?.facts.size ?? 0 : 0
            plan.steps.append(
                SyncPlan.Step(
                    direction: .send, action: event.kind.rawValue, path: event.path, from: event.from,
                    bytes: row?.kind == .folder ? 0 : bytes))
        }
        let told = Set(plan.steps.map(\.path))
        plan.steps += unsent.filter { !told.contains($0.path) }
        plan.steps += try state.heldRows().map { try step(deleting: $0, .send, isHeld: true) }
        _ = try await engine.fetch()
        plan.steps += try incoming()
        return plan
    }

    /// What an earlier pass recorded and could not send, as while the store was away.
    private func unsent() throws -> [SyncPlan.Step] {
        let reader = ViewReader(state)
        var steps: [DrivePath: SyncPlan.Step] = [:]
        for record in try state.pendingGroups().flatMap(\.records) {
            if let row = try state.rows(holding: record.id).first {
                let path = try state.path(of: row)
                let newest = try state.newestEvent(at: path)
                steps[path] = SyncPlan.Step(
                    direction: .send, action: (newest?.kind ?? .edited).rawValue, path: path, from: newest?.from,
                    bytes: row.kind == .folder ? 0 : row.facts.size)
            } else if !record.isWanted, let folder = try reader.path(ofNode: record.parent) {
                let path = folder.appending(record.name.value)
                steps[path] = SyncPlan.Step(direction: .send, action: "deleted", path: path, bytes: 0)
            }
        }
        return steps.values.sorted { $0.path < $1.path }
    }

    /// What apply would do: the view against the rows, by its own rules of which is which.
    private func incoming() throws -> [SyncPlan.Step] {
        let matching = try Matching(
            WorkSet(try state.dirt(), in: state), state, hides: engine.parts.options.ignores)
        let reader = ViewReader(state)
        // First, since names wait for what is held of them.
        let deletes = try deletes(matching)
        var steps: [SyncPlan.Step] = []
        var places = try HeldPlaces(matching, state)
        for entry in matching.entries {
            let waits = try places.hold(entry)
            guard let folder = try reader.path(ofNode: entry.node, limit: DrivePath.deepest) else { continue }
            let path = folder.appending(entry.name)
            let isHidden = !entry.isDerived && engine.parts.options.ignores(path, entry.kind == .folder)
            let size = entry.kind == .file ? entry.content?.size ?? 0 : 0
            if waits {
                let from = try matching.row(for: entry).flatMap { try state.row($0) }
                // Its own delete is told already.
                if isHidden || from?.isHeld == true { continue }
                steps.append(
                    SyncPlan.Step(
                        direction: .bring, action: SyncPlan.Step.waits, path: path,
                        from: try from.map { try state.path(of: $0) }, bytes: from == nil ? size : 0))
                continue
            }
            guard let id = matching.row(for: entry), let row = try state.row(id) else {
                if !isHidden {
                    steps.append(SyncPlan.Step(direction: .bring, action: "added", path: path, bytes: size))
                }
                continue
            }
            if try isHidden && engine.parts.hides(row) { continue }
            let old = try state.path(of: row)
            if old != path, row.isMoved(to: entry, matching) {
                steps.append(SyncPlan.Step(direction: .bring, action: "moved", path: path, from: old, bytes: 0))
            }
            if isHidden || row.matches(entry) { continue }
            let isEdit = row.hash != entry.content?.hash
            steps.append(
                SyncPlan.Step(
                    direction: .bring, action: isEdit ? "edited" : "attributes", path: path, bytes: isEdit ? size : 0))
        }
        return steps + deletes
    }

    private func deletes(_ matching: Matching) throws -> [SyncPlan.Step] {
        let going = try matching.removals(state)
        let held = try IncomingDeletes(engine.parts).held(among: going.files, of: state.rowCount())
        let all = going.files + going.folders.joined()
        // A folder stays with what stays in it; a rule never deletes anything.
        let left = try held.compactMap { try state.row($0) } + all.filter { try engine.parts.hides($0) }
        let staying = try Set(left.flatMap { try state.chain(of: $0).map(\.id) })
            .union(left.map(\.id)).union(KeptFolders(state).rows())
        return try all.filter { held.contains($0.id) || !staying.contains($0.id) }
            .map { try step(deleting: $0, .bring, isHeld: held.contains($0.id)) }
    }

    private func step(
        deleting row: Row, _ direction: SyncPlan.Direction, isHeld: Bool
    ) throws -> SyncPlan.Step {
        let action = isHeld ? SyncPlan.Step.held : "deleted"
        return SyncPlan.Step(direction: direction, action: action, path: try state.path(of: row), bytes: 0)
    }
}

extension Row {
    /// Rather than along with a folder above.
    fileprivate func isMoved(to entry: ViewEntry, _ matching: Matching) -> Bool {
        isParked || name != entry.name || parent != matching.folder(ofNode: entry.node)
    }
}

/// What was deleted, and that is held: apply leaves it alone, and what gets its name, or comes into a folder that was deleted here, waits
/// for the decision.
private struct HeldPlaces {
    private let matching: Matching
    private let state: any DriveState
    /// New folders in such folders.
    private var nodes: Set<ItemID> = []

    private let hasNone: Bool

    init(_ matching: Matching, _ state: any DriveState) throws {
        (self.matching, self.state) = (matching, state)
        hasNone = try state.heldRowCount() == 0 && HeldDeletes(state).incoming().isEmpty
    }

    /// Whether the entry waits; to be asked of each folder before what is in it.
    mutating func hold(_ entry: ViewEntry) throws -> Bool {
        if hasNone { return false }
        let own = try matching.row(for: entry).flatMap { try state.row($0) }
        let folder = matching.folder(ofNode: entry.node)
        let isWithin = try nodes.contains(entry.node) || folder.map { try state.isHeld($0) } == true
        let isTaken = try folder.map { try HeldDeletes(state).hold(entry.name, in: $0, besides: own?.id) }
        guard isWithin || isTaken == true || own?.isHeld == true else { return false }
        if entry.kind == .folder { nodes.insert(entry.primary.item) }
        return true
    }
}
