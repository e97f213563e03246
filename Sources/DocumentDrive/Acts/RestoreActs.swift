import DriveCore
import FileCoordination

/// Brings earlier contents back: over what is there now, which goes to the trash, or under a free name.
struct RestoreActs {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    func restore(_ contents: [RestoredContent]) throws -> PlannedAct<[ActOutcome]> {
        let conflicts = try ConflictList(parts.state).all()
        let plan = RestorePlan(files: parts.files, state: parts.state, conflicts: conflicts)
        var steps: [UndoPlan.Step] = []
        var left: [ActOutcome] = []
        for content in contents {
            let source = DrivePath(bytes: content.path)
            guard let deed = try plan.deed(content) else {
                left.append(ActOutcome(DrivePath(bytes: content.target ?? content.path), "is already as asked for"))
                continue
            }
            steps.append(
                UndoPlan.Step(deed: deed, source: source, attributes: try attributesWhenGone(source, content.content)))
        }
        return PlannedAct(steps.map(\.deed)) { [steps, left] in
            (steps.isEmpty ? [] : try await run(steps, ending: conflicts)) + left
        }
    }

    /// Those that a file had when it went, where it went with this content; nil of any other.
    private func attributesWhenGone(_ path: DrivePath, _ content: String) throws -> Attributes? {
        guard let last = try parts.state.newestEvent(at: path), last.isGone,
            let before = last.before, before == ContentHash(hexadecimal: content)
        else { return nil }
        return last.attributes
    }

    /// Out of the trash, beside what has the name now. `isUndo`: as the reverse of what took it there.
    func restore(trashed names: [String], isUndo: Bool = false) throws -> PlannedAct<[ActOutcome]> {
        let all = Dictionary(
            try parts.state.trash().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let cleanings = try isUndo ? Cleanings(parts.state) : nil
        let steps = try names.map { name in
            guard let entry = all[FileName(name)] else {
                throw DriveError(.usage, "the trash has nothing with this id; `docdrive trash ls` lists it", path: name)
            }
            return UndoPlan.Step(
                deed: .takeOut(entry.name, to: entry.path), operation: cleanings?.operation(of: entry))
        }
        return PlannedAct(steps.map(\.deed)) { try await run(steps, isUndo ? .undo : .restore) }
    }

    private func run(
        _ steps: [UndoPlan.Step], _ cause: DriveOperation.Kind = .restore, ending conflicts: [Conflict] = []
    ) async throws -> [ActOutcome] {
        var runner = try DeedRunner(parts, reason: .restored, steps)
        try await parts.operations.during(cause) { try await runner.runAsFarAsItGoes() }
        if let failed = runner.outcomes.first(where: { $0.obstacle != nil }), runner.outcomes.count == 1 {
            throw DriveError(failed.failure ?? .notFound, failed.obstacle ?? "", path: failed.path.description)
        }
        let taken = Set(runner.outcomes.filter(\.isDone).compactMap(\.deed.copy))
        for conflict in conflicts where conflict.copy.map(taken.contains) == true { try conflict.isOver(parts) }
        return runner.outcomes.map { outcome in
            if let obstacle = outcome.obstacle {
                return ActOutcome(outcome.deed.path, "not restored: \(obstacle)", isDone: false)
            }
            return ActOutcome(
                outcome.path,
                "is back" + (outcome.deed.copy.map { ": the copy \($0) took its place, which ends the conflict" } ?? "")
                    + (outcome.deed.trashed == nil ? "" : "; what was there is in the trash"),
                askedPath: outcome.deed.path)
        }
    }
}

/// Which cleaning moved what to the trash.
private struct Cleanings {
    private var operations: [DrivePath: [(content: ContentHash?, time: UInt64, id: UInt64)]] = [:]

    init(_ state: any DriveState) throws {
        for operation in try state.operations(limit: .max) where operation.kind == .clean {
            for event in try state.events(of: operation.id) {
                operations[event.path, default: []].append((event.before, event.time, operation.id))
            }
        }
    }

    func operation(of entry: TrashEntry) -> UInt64? {
        operations[entry.path]?.first { $0.content == entry.hash && $0.time == entry.time }?.id
    }
}
