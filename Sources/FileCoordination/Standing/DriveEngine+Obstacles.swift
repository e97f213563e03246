import DriveCore

extension DriveEngine {
    /// What was in the way of single items. A look at some folders says nothing of the others.
    func keep(_ outcome: ScanPass.Outcome, of scope: ScanScope?) throws {
        if outcome.saysNothing { return }
        let stays = { [self] path in try scope.map { try !isLooked(at: path, $0.touched) } ?? false }
        try parts.state.transaction {
            let kept = try StandingMemory(parts.state).keep(
                outcome.obstacles, of: .scan, stays: stays, now: parts.clock.milliseconds())
            let before = try parts.state.problems().filter { $0.source == .scan }
            // What is listed and read is met twice.
            var told: Set<Problem> = []
            var found = outcome.problems.filter { told.insert($0).inserted }
            let paths = Set(found.map(\.path))
            found += try before.filter { try !paths.contains($0.path) && stays($0.path) }
            let since = Dictionary(kept.map { ($0.path, $0.since) }) { first, _ in first }
            for place in found.indices { found[place].since = since[found[place].path] ?? found[place].since }
            if found != before { try parts.state.setProblems(found, from: .scan) }
        }
    }

    /// Whether a look at what was touched says what is at the path now: of a folder that was moved or removed its own name alone
    /// was touched.
    private func isLooked(at path: DrivePath, _ touched: TouchedPaths) throws -> Bool {
        if touched.covers(path) { return true }
        let folders = (1..<max(1, path.components.count)).map { DrivePath(Array(path.components.prefix($0))) }
        guard let name = path.name, folders.contains(where: touched.covers) else { return false }
        do {
            return try parts.files.open(path: path.parent).flatMap { try parts.files.look(at: name, in: $0) } == nil
        } catch let error as DriveError where error.remedy == .skip { return false }
    }
}
