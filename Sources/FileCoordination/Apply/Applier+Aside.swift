import DriveCore

// What waits aside is in no folder, where no person finds it: so nothing is put there that could not leave again.
extension Applier {
    /// Out of the way of what is to come to `path`.
    mutating func setAside(_ row: Row, for path: DrivePath) throws -> Bool {
        guard let closure = try closure(of: row) else { return try park(row) }
        let goal = try goalPath(of: row).map { "\($0)" } ?? "its place"
        switch closure {
        case .refused(let error):
            denials += 1
            note(path, DriveError(error.kind, "what has its name cannot go to \(goal): \(error.message)"))
        case .taken(let place):
            denials += 1
            note(
                path, "what has its name cannot go to \(goal): what is at \(place) is not synced; move that away",
                .nameWaits)
        case .waits(let cause):
            denials += 1
            if !isAhead { outcome.obstacles.append(Obstacle(path, cause)) }
        case .unknown: break
        }
        return false
    }

    /// Why it could not go to its own place, or what has that to its own, and so on; nil also where that cannot be told without trying.
    private mutating func closure(of row: Row) throws -> GoalObstruction? {
        var asked: Set<RowID> = []
        let closure = try closure(of: row, &asked)
        // Until all is known, what changes places with others counts as if they could go.
        if closure == nil { movable.formUnion(asked) }
        return closure
    }

    /// Each is looked at once; what has changed places with others comes back to itself.
    private mutating func closure(of row: Row, _ asked: inout Set<RowID>) throws -> GoalObstruction? {
        var way: [RowID] = []
        var next: Row? = row
        var closure: GoalObstruction?
        while let here = next, closure == nil, !movable.contains(here.id), asked.insert(here.id).inserted {
            way.append(here.id)
            closure = unmovable[here.id]
            if closure == nil { closure = try obstruction(ofMoving: here).map { .refused($0) } }
            if closure == nil {
                switch try resident(ofGoalOf: here, &asked) {
                case .nobody: next = nil
                case .row(let row): next = row
                case .stays(let found): closure = found
                }
            }
        }
        if let closure { for id in way { unmovable[id] = closure } }
        return closure
    }

    private mutating func obstruction(ofMoving row: Row) throws -> DriveError? {
        guard let goal = matching.goal(of: row.id) else { return nil }
        do {
            let isLeaving = row.kind == .folder && matching.folder(ofNode: goal.node) != row.parent
            if !row.isParked, let (folder, name) = try runner.locator.place(of: row),
                let error = parts.files.obstruction(at: name, in: folder, isLeaving: isLeaving)
            {
                return error
            }
            guard let place = try place(of: goal), let open = try runner.locator.open(place.folder) else { return nil }
            if let error = parts.files.obstruction(at: place.name, in: open) { return error }
            return try refusal(ofMoving: row, to: place)
        } catch let error as DriveError where error.remedy == .skip { return error }
    }

    /// Where it is to be; of what lies in a folder that is not there yet, where the uppermost of these is.
    private mutating func place(of goal: GroupKey) throws -> RowPlace? {
        try way(to: goal).map { RowPlace(folder: $0.folder, name: $0.names[0]) }
    }

    mutating func goalPlace(of row: Row) throws -> RowPlace? {
        try matching.goal(of: row.id).flatMap { try place(of: $0) }
    }

    /// The lowest folder on the way that is there, and the names from there on.
    private mutating func way(to goal: GroupKey) throws -> (folder: RowID, names: [FileName])? {
        var names: [FileName] = []
        var next: GroupKey? = goal
        for _ in 0..<DrivePath.deepest {
            guard let here = next else { return nil }
            names.append(here.name)
            // One that is to be placed with the next batch has a row, and is not there.
            if let folder = matching.folder(ofNode: here.node), try runner.locator.open(folder) != nil {
                return (folder, names.reversed())
            }
            let known = folderGoals ?? matching.folderGoals()
            folderGoals = known
            next = known[here.node]
        }
        return nil
    }

    /// Whether that was tried lately in vain, and all looks as it did then.
    private mutating func refusal(ofMoving row: Row, to goal: RowPlace) throws -> DriveError? {
        if parts.denied.isEmpty { return nil }
        guard let path = try goalPath(of: row),
            let denial = parts.denied.pending(path, now: parts.clock.milliseconds())
        else { return nil }
        let places = row.isParked ? [goal] : [goal, RowPlace(folder: row.parent, name: row.name)]
        return look(at: places, false) == denial.look ? denial.error : nil
    }

    private mutating func goalPath(of row: Row) throws -> DrivePath? {
        guard let way = try matching.goal(of: row.id).flatMap({ try way(to: $0) }),
            let above = try pathOfFolder(way.folder)
        else { return nil }
        return DrivePath(above.components + way.names)
    }

    private enum Resident {
        case nobody
        /// What is to go elsewhere itself.
        case row(Row)
        case stays(GoalObstruction)
    }

    /// What is where a row is to go.
    private mutating func resident(ofGoalOf row: Row, _ asked: inout Set<RowID>) throws -> Resident {
        guard let goal = matching.goal(of: row.id), let place = try place(of: goal),
            let path = try pathOfFolder(place.folder)?.appending(place.name)
        else { return .nobody }
        if let cause = try heldCause(of: path, in: place.folder) { return .stays(.waits(cause)) }
        guard let open = try runner.locator.open(place.folder),
            let facts = try parts.files.look(at: place.name, in: open),
            // Its own name in other letters.
            facts.identity != row.facts.identity
        else { return .nobody }
        let occupant = try self.row(of: facts, place.name, in: place.folder)
        let moving = try occupant ?? movingNamesake(of: facts, place.name, in: place.folder)
        if let moving, matching.isWanted(moving.id) { return .row(moving) }
        if outcome.openForWriting.contains(path) { return .stays(.waits(.notBrought)) }
        if let occupant, occupant.kind == .folder, !parts.options.ignores(path, true) {
            return try closure(ofEmptying: occupant, &asked).map { .stays($0) } ?? .nobody
        }
        if parts.files.foldsCase(open), let namesake = try namesake(of: facts, place.name, in: place.folder) {
            return .stays(.refused(DriveError.oneName(place.name, namesake.name)))
        }
        return .stays(try staysUnsynced(facts, at: path, in: place.folder) ? .taken(path) : .unknown)
    }

    /// Of a folder that nobody wants.
    private mutating func closure(ofEmptying folder: Row, _ asked: inout Set<RowID>) throws -> GoalObstruction? {
        guard !matching.waiting.contains(folder.id), !folder.isHeld, let open = try runner.locator.open(folder.id)
        else {
            return .unknown
        }
        if let (above, name) = try runner.locator.place(of: folder),
            let error = parts.files.obstruction(at: name, in: above, isLeaving: true)
        {
            return .refused(error)
        }
        var rows: Set<FileName> = []
        for row in try parts.state.children(of: folder.id) {
            if matching.waiting.contains(row.id) || row.isHeld { return .unknown }
            if matching.isWanted(row.id) {
                if let closure = try closure(of: row, &asked) { return closure }
            } else if row.kind == .folder {
                if let closure = try closure(ofEmptying: row, &asked) { return closure }
            } else {
                return .unknown
            }
            rows.insert(row.name)
        }
        let path = try parts.state.path(of: folder)
        for name in try parts.files.list(open).map(\.name) where !rows.contains(name) {
            guard let facts = try parts.files.look(at: name, in: open) else { continue }
            return try staysUnsynced(facts, at: path.appending(name), in: folder.id)
                ? .taken(path.appending(name)) : .unknown
        }
        return nil
    }

    /// What was set aside for something that was refused then goes back, where nothing has come in its place. That it looks so again
    /// is no reason for another try.
    mutating func putBack() throws {
        if refusals.isEmpty { return }
        let denied = Set(refusals.map(\.path))
        parksNothing = true
        defer { parksNothing = false }
        var isBack = false
        for row in try parts.state.parkedRows() where matching.isWanted(row.id) {
            guard try denied.contains(parts.state.path(of: row)) else { continue }
            try attempt(row) { try $0.unpark(row) }
            isBack = true
        }
        guard isBack else { return }
        runner.locator.forget()
        lastFolder = nil
        for refusal in refusals {
            parts.denied.note(refusal.path, looks: look(at: refusal.places, refusal.isOfAttributes))
        }
    }
}

/// Why a row cannot go to where it is to be.
enum GoalObstruction {
    case refused(DriveError)
    /// By what is here, and not synced.
    case taken(DrivePath)
    /// For a decision about deletes that are held, or for a program that has what is there open.
    case waits(Cause)
    /// Another look at the folder may tell more.
    case unknown
}
