import DriveCore
import FileCoordination

/// Resolves conflicts the way a person would with a file manager, so that every device understands it; what loses goes
/// to the trash. All of one call are one operation.
struct ConflictActs {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    func resolve(_ ids: [String], _ how: ConflictResolution) throws -> PlannedAct<[ActOutcome]> {
        let plan = try plan(named(ids), how)
        return act(plan) { obstacles in
            zip(plan.resolved, obstacles).map { resolved, obstacle in
                ActOutcome(resolved.conflict.shownPath, obstacle ?? resolved.sentence, isDone: obstacle == nil)
            } + plan.left.map { .left($0.conflict.shownPath, $0.reason) }
        }
    }

    /// An id that is there twice means one conflict; where two have it, as may be among thousands, both.
    private func named(_ ids: [String]) throws -> [Conflict] {
        var unnamed = Dictionary(grouping: try ConflictList(parts.state).all(), by: \.id)
        return try ids.compactMap { id in
            guard let conflicts = unnamed[id] else {
                throw DriveError(.usage, "no conflict has this id; `docdrive conflicts ls` lists them", path: id)
            }
            unnamed[id] = Array(conflicts.dropFirst())
            return conflicts.first
        }
    }

    /// Why those that are not ended are not.
    func obstacles(_ conflicts: [Conflict], _ how: ConflictResolution) throws -> PlannedAct<[String]> {
        let plan = try plan(conflicts, how)
        return act(plan) { $0.compactMap(\.self) + plan.left.map(\.reason) }
    }

    private func plan(_ conflicts: [Conflict], _ how: ConflictResolution) throws -> ResolutionPlan {
        try parts.state.transaction { try ResolutionPlan(conflicts, how, source()) }
    }

    /// `report` is told of each that is to be resolved why it was not.
    private func act<Result>(
        _ plan: ResolutionPlan, _ report: @escaping ([String?]) -> Result
    ) -> PlannedAct<Result> {
        PlannedAct(plan.resolved.flatMap(\.deeds).flatMap(\.intents)) {
            let (obstacles, moves) = try await run(plan)
            return (report(obstacles), moves)
        }
    }

    private func run(_ plan: ResolutionPlan) async throws -> ([String?], moves: [(DrivePath, DrivePath)]) {
        var runner = try DeedRunner(parts, reason: .resolved, together: plan.resolved.map(\.deeds))
        try await parts.operations.during(.resolve) { try await runner.runAsFarAsItGoes() }
        let obstacles = zip(plan.resolved, runner.groupFailures).map { $0.obstacle($1) }
        for (resolved, obstacle) in zip(plan.resolved, obstacles) where obstacle == nil {
            try resolved.conflict.isOver(parts)
        }
        return (obstacles, runner.moves)
    }

    /// What is on this disk, if it still is what the index says.
    func source() throws -> ResolutionPlan.Source {
        let trash = Dictionary(grouping: try parts.state.trash().filter { $0.hash != nil }) { $0.hash }
        return ResolutionPlan.Source(
            text: { path, hash in
                guard let name = path.name, let folder = try parts.files.open(path: path.parent) else { return nil }
                return try text(name, in: folder, hash)
            },
            ancestor: { hash in
                for entry in trash[hash] ?? [] {
                    if let bytes = try text(entry.name, in: parts.files.open(.trash), hash) { return bytes }
                }
                return nil
            },
            hiding: { ConflictHiding(of: $0, by: parts.options.ignores) })
    }

    private func text(_ name: FileName, in folder: OpenFolder, _ hash: ContentHash) throws -> [UInt8]? {
        guard let reader = try parts.files.readUndated(name, in: folder),
            reader.facts.size <= ConflictClass.greatestSize
        else { return nil }
        let bytes = try reader.first(ConflictClass.greatestSize + 1)
        return ContentHasher.hash(of: bytes) == hash && ConflictClass.isText(bytes) ? bytes : nil
    }
}

extension ResolutionPlan.Resolved {
    /// Why it was not ended.
    fileprivate func obstacle(_ failure: DeedRunner.Outcome?) -> String? {
        guard let failure, let obstacle = failure.obstacle else { return nil }
        return words(obstacle, of: failure.deed)
    }

    /// The sentence is about the file.
    func words(_ obstacle: String, of deed: Deed) -> String {
        switch (deed, obstacle) {
        case (.takeAway(conflict.copy, _), DeedRunner.isGone), (.touch(conflict.copy), DeedRunner.isGone):
            DeedRunner.copyIsGone
        case (.takeAway(conflict.copy, _), DeedRunner.hasChanged):
            "its copy has changed meanwhile, and stays as it is"
        default: obstacle
        }
    }
}

extension Conflict {
    /// Whoever shows the file learns of it at once.
    func isOver(_ parts: DriveParts) throws {
        if let content = copySide?.hash { try parts.conflictNews.end(content, of: current, parts) }
    }

    var shownPath: DrivePath { copy == nil || currentSide != nil ? current : ownPath }
}
