import DriveCore

// What waits aside is in no folder, where no person finds it: so nothing is put there that could not leave again.
extension Applier {
    /// Out of the way of what is to come to `path`.
    mutating func setAside(_ row: Row, for path: DrivePath) throws -> Bool {
        guard let error = try closure(of: row) else { return try park(row) }
        denials += 1
        let goal = try goalPath(of: row).map { "\($0)" } ?? "its place"
        note(path, DriveError(error.kind, "what has its name cannot go to \(goal): \(error.message)"))
        return false
    }

    /// Why it could not go to its own place, or what has that to its own, and so on; nil also where that cannot be told without trying.
    private mutating func closure(of row: Row) throws -> DriveError? {
        var way: [RowID] = []
        var next: Row? = row
        var error: DriveError?
        // Each is looked at once; what has changed places with others comes back to itself.
        while let here = next, error == nil, movable.insert(here.id).inserted {
            way.append(here.id)
            error = unmovable[here.id]
            if error == nil { error = try obstruction(ofMoving: here) }
            if error == nil { next = try occupant(ofGoalOf: here) }
        }
        if let error {
            movable.subtract(way)
            for id in way { unmovable[id] = error }
        }
        return error
    }

    private mutating func obstruction(ofMoving row: Row) throws -> DriveError? {
        guard let goal = matching.goal(of: row.id) else { return nil }
        do {
            if !row.isParked, let (folder, name) = try runner.locator.place(of: row),
                let error = parts.files.obstruction(at: name, in: folder)
            {
                return error
            }
            guard let folder = matching.folder(ofNode: goal.node), let open = try runner.locator.open(folder) else {
                return try obstruction(ofMaking: goal.node)
            }
            if let error = parts.files.obstruction(at: goal.name, in: open) { return error }
            return try refusal(ofMoving: row, to: RowPlace(folder: folder, name: goal.name))
        } catch let error as DriveError where error.remedy == .skip { return error }
    }

    /// Of a folder that is not there yet, with those above it.
    private mutating func obstruction(ofMaking folder: ItemID) throws -> DriveError? {
        let known = folderGoals ?? matching.folderGoals()
        folderGoals = known
        var next = known[folder]
        for _ in 0..<DrivePath.deepest {
            guard let goal = next else { return nil }
            if let above = matching.folder(ofNode: goal.node), let open = try runner.locator.open(above) {
                return parts.files.obstruction(at: goal.name, in: open)
            }
            next = known[goal.node]
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
        guard let goal = matching.goal(of: row.id), let folder = matching.folder(ofNode: goal.node) else { return nil }
        return try pathOfFolder(folder)?.appending(goal.name)
    }

    /// What is where a row is to go, and is to go elsewhere itself.
    private mutating func occupant(ofGoalOf row: Row) throws -> Row? {
        guard let goal = matching.goal(of: row.id), let folder = matching.folder(ofNode: goal.node),
            let open = try runner.locator.open(folder), let facts = try parts.files.look(at: goal.name, in: open),
            let occupant = try self.row(of: facts, goal.name, in: folder), matching.isWanted(occupant.id)
        else { return nil }
        return occupant
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
