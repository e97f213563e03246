import DriveCore

// What rules hide here and others do not: a rule may not be known everywhere yet, or somebody moves what it names.
extension Applier {
    /// The view has the entry where a rule hides it. What is here and visible goes there all the same, and is hidden from then on:
    /// at its old name it would be a file that is sent to nobody. What was hidden already stays as it is, and nothing new comes.
    mutating func bringToHidden(_ entry: ViewEntry, in folder: RowID, _ path: DrivePath) async throws {
        guard let id = matching.row(for: entry), let row = try parts.state.row(id) else {
            if entry.kind == .folder, goals.contains(entry.primary.item) {
                try await bringNew(entry, to: folder, path)
            }
            return
        }
        guard try !row.isHeld && (row.isParked || !parts.hides(row)) else { return }
        if let above = try parts.state.row(folder), try lostFolder(in: parts.state.chain(of: above)) {
            return passOver(entry.name, "the folder that it goes into is not here any more")
        }
        if try move(row, to: entry, in: folder, path) != nil { hidden.insert(id) }
    }

    /// Whether one of these is a hidden folder that somebody has deleted here: it is made anew, for what goes into it.
    private mutating func lostFolder(in chain: [Row]) throws -> Bool {
        for row in chain where try wasLost(row) { return true }
        return false
    }

    /// Files that others have moved to where a rule hides them here, and where something of this device alone has the place. They
    /// leave, as what is deleted does: others have them, and the rule says that they are not wanted here.
    func crowdedOut() throws -> [Row] {
        let reader = ViewReader(parts.state)
        return try matching.entries.compactMap { entry in
            guard entry.kind != .folder, !entry.isDerived, let id = matching.row(for: entry),
                let row = try parts.state.row(id), !row.isHeld,
                row.isParked || row.name != entry.name || matching.folder(ofNode: entry.node) != row.parent,
                let above = try reader.path(ofNode: entry.node, limit: DrivePath.deepest)
            else { return nil }
            let path = above.appending(entry.name)
            guard try parts.options.ignores(path, false) && (row.isParked || !parts.hides(row)) else { return nil }
            // What cannot be looked at is told of when the file is to go there.
            do { return try isCrowded(path) ? row : nil } catch let error as DriveError where error.remedy == .skip {
                return nil
            }
        }
    }

    /// Whether something that no row knows has the place, or that of a hidden folder above it.
    private func isCrowded(_ path: DrivePath) throws -> Bool {
        for count in 1...path.components.count {
            let place = DrivePath(Array(path.components.prefix(count)))
            guard parts.options.ignores(place, count < path.components.count) else { continue }
            guard let name = place.name, let open = try parts.files.open(path: place.parent),
                let facts = try parts.files.look(at: name, in: open)
            else { return false }
            // Of a file with several names (hard links) each has a row of its own.
            let known = try parts.state.rows(identity: facts.identity)
            guard try known.contains(where: { try parts.state.path(of: $0) == place }) else { return true }
        }
        return false
    }

    /// Folders that are not here and that something goes into which is: hidden ones come for that alone.
    func findGoals() throws -> Set<ItemID> {
        var goals: Set<ItemID> = []
        // What is in a folder comes behind it.
        for entry in matching.entries.reversed() where matching.folder(ofNode: entry.node) == nil {
            if try entry.kind == .folder && goals.contains(entry.primary.item) || isVisible(matching.row(for: entry)) {
                goals.insert(entry.node)
            }
        }
        return goals
    }

    private func isVisible(_ id: RowID?) throws -> Bool {
        guard let id, let row = try parts.state.row(id) else { return false }
        return try row.isParked || !parts.hides(row)
    }

    /// While a rule hid what the row stands for, no walk told that it is gone, or that it is something else now. Then it comes anew
    /// to where the view has it, and what is in its old place is of this device alone.
    mutating func wasLost(_ row: Row) throws -> Bool {
        guard try !row.isParked && !row.isHeld && parts.hides(row) && runner.locator.verified(row) == nil else {
            return false
        }
        try flush()
        try parts.state.transaction {
            var going = [row]
            while let next = going.popLast() {
                going += try parts.state.children(of: next.id)
                for member in next.members { forgotten.items.insert(member.item) }
                try parts.state.remove(next.id)
            }
        }
        runner.locator.forget()
        return true
    }
}
