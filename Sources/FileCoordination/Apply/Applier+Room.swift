import DriveCore

// Making room.
extension Applier {
    /// Whether the name can be had, by what is to be moved there if anything is: what has it and belongs elsewhere waits in
    /// `.parked`; what nobody knows stays.
    mutating func makeFree(_ name: FileName, in folder: RowID, for mover: Row? = nil) throws -> Bool {
        guard let open = try runner.locator.open(folder) else { return false }
        guard let facts = try parts.files.look(at: name, in: open) else {
            // A row whose item left while nobody looked still has the place: the next scan will name it.
            return try parts.state.child(of: folder, named: name) == nil
        }
        if let mover, mover.parent == folder, mover.name != name, !mover.isParked,
            facts.identity == mover.facts.identity, parts.files.foldsCase(open)
        {
            // Its own name in other letters: it gets out of its own way.
            return try !parksNothing && park(mover)
        }
        let occupant = try row(of: facts, name, in: folder) ?? movingNamesake(of: facts, name, in: folder)
        guard let row = occupant, try runner.locator.verified(row) != nil else { return false }
        try flush()
        if parksNothing { return false }
        let path = try parts.state.path(of: row)
        if matching.isWanted(row.id) { return try setAside(row, for: path) }
        guard row.kind == .folder, !matching.waiting.contains(row.id), !row.isHeld else { return false }
        return try evacuate(row, for: path)
    }

    /// Of a file with several names (hard links) each has a row of its own.
    func row(of facts: FileFacts, _ name: FileName, in folder: RowID) throws -> Row? {
        try parts.state.rows(identity: facts.identity).first {
            $0.parent == folder && $0.name == name && !$0.isParked
        }
    }

    /// Says what is in the way where no pass will mend it: what is not synced itself, a folder that is kept for such things, or an
    /// item whose name is the same here. False where another look at the folder may tell more.
    mutating func noteTaken(_ path: DrivePath, in folder: RowID) throws -> Bool {
        // What has the place goes once it is closed.
        if isAhead || outcome.openForWriting.contains(path) { return true }
        guard let name = path.name, let open = try runner.locator.open(folder),
            let facts = try parts.files.look(at: name, in: open)
        else { return false }
        if let namesake = try namesake(of: facts, name, in: folder), parts.files.foldsCase(open) {
            note(path, DriveError.oneName(name, namesake.name))
            return true
        }
        guard try staysUnsynced(facts, at: path, in: folder) else {
            outcome.obstacles.append(Obstacle(path, .nameTaken))
            return false
        }
        note(path, "something else has its name here, which is not synced; move that away", .nameTaken)
        return true
    }

    /// Whether what is at the path is not synced itself, or a folder that is kept for such things.
    func staysUnsynced(_ facts: FileFacts, at path: DrivePath, in folder: RowID) throws -> Bool {
        if facts.kind == .other || facts.isForeignMount || parts.options.ignores(path, facts.kind == .folder) {
            return true
        }
        guard let name = path.name, let row = try row(of: facts, name, in: folder) else { return false }
        return try KeptFolders(parts.state).rows().contains(row.id)
    }

    /// What is synced, and has the place under another name.
    func namesake(of facts: FileFacts, _ name: FileName, in folder: RowID) throws -> Row? {
        let rows = try parts.state.rows(identity: facts.identity).filter { $0.parent == folder && !$0.isParked }
        return rows.contains { $0.name == name } ? nil : rows.first
    }

    /// What has the place under another name, and is to go elsewhere.
    mutating func movingNamesake(of facts: FileFacts, _ name: FileName, in folder: RowID) throws -> Row? {
        guard let open = try runner.locator.open(folder), parts.files.foldsCase(open),
            let row = try namesake(of: facts, name, in: folder), matching.isWanted(row.id),
            let goal = try goalPlace(of: row), let there = try runner.locator.open(goal.folder)
        else { return nil }
        // Its goal may be the name that it has, in other letters.
        return try parts.files.look(at: goal.name, in: there)?.identity == facts.identity ? nil : row
    }

    /// Whether it comes where something is or was whose delete is held, or into a folder that was deleted here: then looking again
    /// mends nothing.
    mutating func waitsForDecision(_ path: DrivePath, in folder: RowID) throws -> Bool {
        guard let cause = try heldCause(of: path, in: folder) else { return false }
        if !isAhead { outcome.obstacles.append(Obstacle(path, cause)) }
        return true
    }

    mutating func heldCause(of path: DrivePath, in folder: RowID) throws -> Cause? {
        if try parts.state.isHeld(folder) { return .heldFolder }
        guard let name = path.name, let open = try runner.locator.open(folder),
            try HeldDeletes(parts.state).hold(name, in: folder)
        else { return nil }
        // What others deleted lies there still; what somebody has put there since is seen by the next scan.
        guard let facts = try parts.files.look(at: name, in: open) else { return .heldPlace }
        return try row(of: facts, name, in: folder) == nil ? nil : .heldPlace
    }

    mutating func park(_ row: Row) throws -> Bool {
        if row.isParked { return true }
        guard try !isDenied(row), try runner.locator.verified(row) != nil else { return false }
        let done = try run(Intent(step: .park, identity: row.facts.identity, row: row)) != nil
        runner.locator.forget()
        return done
    }

    /// Nobody wants it any more, but it was edited in the moment that it was parked: back where the scan sees it.
    mutating func unpark(_ row: Row) throws {
        guard try runner.locator.verified(row) != nil, try makeFree(row.name, in: row.parent) else { return }
        var new = row
        new.isParked = false
        let step = Intent.Step.move(fromFolder: row.parent, fromName: row.name, wasParked: true)
        _ = try run(Intent(step: step, identity: row.facts.identity, row: new))
    }

    private mutating func evacuate(_ folder: Row, for path: DrivePath) throws -> Bool {
        for row in try parts.state.children(of: folder.id) {
            if matching.waiting.contains(row.id) || row.isHeld { return false }
            if matching.isWanted(row.id) {
                guard try setAside(row, for: path) else { return false }
            } else if row.kind == .folder {
                guard try evacuate(row, for: path) else { return false }
            } else {
                return false
            }
        }
        return try removeFolder(folder)
    }
}

extension DriveError {
    static func oneName(_ name: FileName, _ other: FileName) -> DriveError {
        DriveError(.usage, "this folder takes \(name) and \(other) for one name; rename one of them")
    }
}
