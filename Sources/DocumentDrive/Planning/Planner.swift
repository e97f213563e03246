import DriveCore
import FileCoordination

/// Runs an engine that can change nothing as far as it goes, and reads off the rest.
struct Planner {
    let engine: DriveEngine
    private var state: any DriveState { engine.parts.state }

    init(_ engine: DriveEngine) { self.engine = engine }

    func plan(_ ignoring: IgnoreKeeper) async throws -> SyncPlan {
        if try state.isBlank { _ = try await engine.fetch() }
        try await ignoring.refresh(engine)
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
        _ = try await engine.fetch()
        plan.steps += try incoming()
        return plan
    }

    /// What apply would do: the view against the rows, by its own rules of which is which.
    private func incoming() throws -> [SyncPlan.Step] {
        let matching = try Matching(WorkSet(try state.dirt(), in: state), state)
        let reader = ViewReader(state)
        var steps: [SyncPlan.Step] = []
        for entry in matching.entries {
            guard let folder = try reader.path(ofNode: entry.node, limit: DrivePath.deepest) else { continue }
            let path = folder.appending(entry.name)
            if engine.parts.options.ignores(path, entry.kind == .folder) { continue }
            let size = entry.kind == .file ? entry.content?.size ?? 0 : 0
            guard let id = matching.row(for: entry), let row = try state.row(id) else {
                steps.append(SyncPlan.Step(direction: .bring, action: "added", path: path, bytes: size))
                continue
            }
            let old = try state.path(of: row)
            if old != path {
                steps.append(SyncPlan.Step(direction: .bring, action: "moved", path: path, from: old, bytes: 0))
            }
            if row.matches(entry) { continue }
            let isEdit = row.hash != entry.content?.hash
            steps.append(
                SyncPlan.Step(
                    direction: .bring, action: isEdit ? "edited" : "attributes", path: path, bytes: isEdit ? size : 0))
        }
        let going = try matching.removals(state)
        for row in going.files + going.folders.joined() {
            steps.append(SyncPlan.Step(direction: .bring, action: "deleted", path: try state.path(of: row), bytes: 0))
        }
        return steps
    }
}
