import DriveCore
import FileCoordination

/// Decides about deletes that the brake holds.
struct DeleteActs {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    func confirm(_ ids: [String]) throws -> [ActOutcome] {
        let chosen = try find(ids)
        try parts.state.transaction {
            try HeldDeletes(parts.state).confirm(Set(chosen.map(\.row)))
            try IncomingDeletes(parts).confirmed(
                own: chosen.contains(where: \.isOwn), others: chosen.contains { !$0.isOwn })
        }
        let outcomes = try chosen.map { ActOutcome($0.path, try sentence(onConfirmed: $0)) }
        var notes = ["What was changed without knowing of its delete stays."]
        if chosen.contains(where: \.isOwn) {
            let others = "Devices to which these are too many at once hold them too, until they are confirmed there."
            notes.insert(others, at: 0)
        }
        return outcomes + notes.map { ActOutcome(nil, $0) }
    }

    private func sentence(onConfirmed item: HeldDelete) throws -> String {
        guard item.isOwn else { return "goes to the trash here too" }
        if try isKeptByRule(item) { return "a rule hides it, so that the other devices keep it" }
        if try isWantedSince(item) {
            return "another device has kept or changed it since: it comes back; delete it again if nobody needs it"
        }
        return "its delete is told to the other devices"
    }

    /// A rule deletes nothing, here or elsewhere.
    private func isKeptByRule(_ item: HeldDelete) throws -> Bool {
        guard item.isOwn, let row = try parts.state.row(item.row) else { return false }
        return try parts.hides(row)
    }

    /// What others did without knowing of its delete is known here by now, and was not when it was deleted: no delete wins over it.
    private func isWantedSince(_ item: HeldDelete) throws -> Bool {
        guard item.isOwn, let row = try parts.state.row(item.row) else { return false }
        return try row.members.contains { member in
            let seen = row.lifeSeen[member.item] ?? []
            let life = try parts.state.item(member.item)?.state.life ?? []
            return life.contains { $0.mark.isEmpty && !seen.contains($0.dot) }
        }
    }

    func restore(_ ids: [String]) throws -> [ActOutcome] {
        let chosen = try find(ids)
        let rows = Set(chosen.map(\.row))
        let folders = try HeldDelete.all(parts.state).filter { $0.kind == .folder && !rows.contains($0.row) }
        let items = try Dictionary(
            chosen.compactMap { held in
                // A conflict copy is another content of an item that is elsewhere.
                try parts.state.row(held.row).flatMap { row in
                    row.kind == .folder || row.primary.isMain ? (held.row, row.primary.item) : nil
                }
            }
        ) { first, _ in first }
        try parts.state.transaction { try parts.restoreHeld(rows) }
        return try chosen.map { item in
            // Without the folder, there is no place for it; with the folder came all that was in it.
            let above = folders.first { item.isOwn && $0.isOwn && item.path != $0.path && item.path.isInside($0.path) }
            if let above {
                return ActOutcome(
                    item.path,
                    "comes back once the delete of \(above.path) is decided, either way: "
                        + "`docdrive deletes restore \(above.id)`, or `confirm`")
            }
            let goal = item.isOwn ? try items[item.row].flatMap(wantedPath) : nil
            guard let goal, goal != item.path else { return ActOutcome(item.path, "comes back") }
            return ActOutcome(item.path, "comes back as \(goal), as another device calls it by now")
        }
    }

    /// Where the view has it: others may have moved it since.
    private func wantedPath(of item: ItemID) throws -> DrivePath? {
        let reader = ViewReader(parts.state)
        guard let entry = try reader.entries(showing: item).first else { return nil }
        return try reader.path(ofNode: entry.node, limit: DrivePath.deepest)?.appending(entry.name)
    }

    /// A folder with what is in it: without that it would only come back.
    private func find(_ ids: [String]) throws -> [HeldDelete] {
        let held = try HeldDelete.all(parts.state)
        let byID = Dictionary(held.map { ($0.id, $0) }) { first, _ in first }
        let named = try ids.map { id in
            guard let found = byID[id] else {
                throw DriveError(.usage, "no held delete has this id; `docdrive deletes ls` lists them", path: id)
            }
            return found
        }
        let folders = named.filter { $0.kind == .folder }
        let known = Set(named.map(\.id))
        return named
            + held.filter { item in
                !known.contains(item.id)
                    && folders.contains { $0.isOwn == item.isOwn && item.path.isInside($0.path) }
            }
    }
}
