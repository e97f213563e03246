import DriveCore

// Places at which something was tried in vain.
extension Applier {
    /// Whether a step at the path was refused lately, and nothing has changed at these places since: that is told again, and the
    /// step is not taken.
    mutating func isDenied(_ path: DrivePath, _ places: [RowPlace], isOfAttributes: Bool = false) -> Bool {
        guard let denial = parts.denied.pending(path, now: parts.clock.milliseconds()),
            look(at: places, isOfAttributes) == denial.look
        else { return false }
        denials += 1
        note(path, denial.error)
        return true
    }

    mutating func isDenied(_ row: Row, isOfAttributes: Bool = false) throws -> Bool {
        if parts.denied.isEmpty { return false }
        let place = RowPlace(folder: row.parent, name: row.name)
        return isDenied(try parts.state.path(of: row), [place], isOfAttributes: isOfAttributes)
    }

    /// As `isDenied`, for what costs much to try. Of a place where it was refused before, by another process too, what can be told
    /// without trying is enough.
    mutating func isClosed(_ path: DrivePath, in folder: RowID, _ name: FileName) throws -> Bool {
        let places = [RowPlace(folder: folder, name: name)]
        if isDenied(path, places) { return true }
        guard let error = try obstruction(of: path, in: folder, name) else { return false }
        deny(path, error, places)
        return true
    }

    private mutating func obstruction(
        of path: DrivePath, in folder: RowID, _ name: FileName
    ) throws -> DriveError? {
        let known = try obstructed ?? obstructedBefore()
        obstructed = known
        guard let cause = known[path], let open = try runner.locator.open(folder) else { return nil }
        if cause == .impossible { return try parts.holdsName(name) ? nil : DriveError.impossibleName }
        return parts.files.obstruction(at: name, in: open)
    }

    private func obstructedBefore() throws -> [DrivePath: Cause] {
        let found = try StandingMemory(parts.state).obstacles()
            .filter { $0.cause == .notWritable || $0.cause == .impossible }
        return Dictionary(found.map { ($0.path, $0.cause) }) { first, _ in first }
    }

    private mutating func deny(
        _ path: DrivePath, _ error: DriveError, _ places: [RowPlace], isOfAttributes: Bool = false
    ) {
        parts.denied.note(path, error, look(at: places, isOfAttributes), now: parts.clock.milliseconds())
        refusals.append((path: path, places: places, isOfAttributes: isOfAttributes))
        denials += 1
        note(path, error)
    }

    /// Tells of the steps that were refused; returns whose they were. Of those of `done` only what came after was.
    mutating func noteRefused(done: Set<RowID>) throws -> Set<RowID> {
        // Where it could not be put back, it lies there.
        if !runner.refused.isEmpty { outcome.leavesStaging = true }
        var rows: Set<RowID> = []
        for (intent, error) in runner.refused {
            rows.insert(intent.row.id)
            let path = try parts.state.path(of: intent.row)
            if done.contains(intent.row.id) {
                note(path, error)
            } else {
                deny(path, error, intent.places, isOfAttributes: intent.step == .setAttributes)
            }
        }
        runner.refused = []
        return rows
    }

    /// What cannot be looked at looks as it did for as long as that is so.
    mutating func look(at places: [RowPlace], _ isOfAttributes: Bool) -> DeniedPlaces.Look {
        var result = DeniedPlaces.Look(isOfAttributes: isOfAttributes)
        for place in places {
            guard let folder = try? runner.locator.open(place.folder) else { continue }
            result.items.append(try? parts.files.look(at: place.name, in: folder))
            result.folders.append(changeOfAccess(to: place.folder))
        }
        return result
    }

    /// When a folder got other permissions or flags; nil where something in it has changed since, which dates it as well.
    private mutating func changeOfAccess(to folder: RowID) -> FileTime? {
        guard folder != .root, let row = try? parts.state.row(folder),
            let (above, name) = try? runner.locator.place(of: row),
            let facts = try? parts.files.look(at: name, in: above), facts.modified < facts.changed
        else { return nil }
        return facts.changed
    }
}

extension DriveParts {
    /// Whether this disk can hold the name, tried where no person sees it.
    func holdsName(_ name: FileName) throws(DriveError) -> Bool {
        let incoming = try files.open(.incoming)
        let trial = FileName("name-\(entropy.nonce(8))")
        _ = try files.stageFolder(trial)
        let outcome = try files.move(trial, in: incoming, to: name, in: incoming)
        _ = try files.removeFolder(outcome == .done ? name : trial, in: incoming)
        return outcome != .impossible
    }
}

extension DriveError {
    /// Of a name that others have given.
    static var impossibleName: DriveError {
        DriveError(.usage, "this disk cannot hold the name; rename it on the device that has it")
    }
}

extension Intent {
    /// Where something may keep it from being done.
    fileprivate var places: [RowPlace] {
        let place = RowPlace(folder: row.parent, name: row.name)
        guard case .move(let folder, let name, let wasParked) = step, !wasParked else { return [place] }
        return [place, RowPlace(folder: folder, name: name)]
    }
}
