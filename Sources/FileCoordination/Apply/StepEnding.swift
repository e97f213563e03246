import DriveCore

extension DriveParts {
    /// The rows after a step, in the transaction that forgets its intent.
    func finish(
        _ intent: Intent, _ row: Row, _ paths: inout RowPaths, restored: Set<ItemID>,
        _ shown: [ItemID: ShownItem] = [:], isUnread: Bool = false
    ) throws {
        let time = clock.milliseconds()
        let device = try row.members.first.flatMap { try author(of: intent.step, $0, shown) }
        switch intent.step {
        case .place:
            try state.save(row)
            var event = DriveEvent(
                time: time, kind: row.isDerived ? .conflict : .added, path: try paths.path(of: row), device: device,
                note: try note(on: row), after: row.hash)
            // Nobody else did that, whoever made it.
            if !row.isDerived, row.members.contains(where: { restored.contains($0.item) }) {
                event.device = nil
                return try operations.during(.deletes) { try log(event) }
            }
            try log(event)
        case .replace(_, let trash):
            let before = try state.row(row.id)?.attributesOfContent
            try state.save(row)
            try state.addTrash(isUnread ? trash.unread : trash)
            try log(
                DriveEvent(
                    time: time, kind: .edited, path: trash.path, device: device, note: isUnread ? Self.unreadNote : nil,
                    before: trash.hash, after: row.hash, attributes: before))
        case .move:
            let former = try state.row(row.id)
            let from = try former.flatMap(formerPath)
            try state.save(row)
            let path = try state.path(of: row)
            // A file of this device may be the one that is set aside.
            let isNewCopy = row.isDerived && former?.isDerived == false
            // What waited may get the place that it had.
            if from != path {
                try log(
                    DriveEvent(
                        time: time, kind: isNewCopy ? .conflict : .moved, path: path, from: from, device: device,
                        note: isNewCopy ? try note(on: row) : nil, before: row.hash, after: row.hash))
            }
        case .park:
            var parked = row
            parked.isParked = true
            try state.save(parked)
        case .remove(_, let trash):
            try state.remove(row.id)
            try state.addTrash(isUnread ? trash.unread : trash)
            let deleter = try Deleter.take(of: row, state) ?? device
            try log(
                DriveEvent(
                    time: time, kind: .deleted, path: trash.path, device: deleter,
                    note: isUnread ? Self.unreadNote : nil, before: trash.hash, attributes: row.attributesOfContent))
        case .removeFolder(let staged):
            let path = try state.path(of: row)
            let outgoing = try files.open(.outgoing)
            // After a crash it is gone, and was noted before.
            if let permissions = files.permissions(of: staged, in: outgoing) {
                try closedFolders.note(permissions, at: path)
            }
            try state.remove(row.id)
            let deleter = try Deleter.take(of: row, state) ?? device
            try log(DriveEvent(time: time, kind: .deleted, path: path, device: deleter))
        case .setAttributes:
            let before = try state.row(row.id)?.attributes
            try state.save(row)
            var event = DriveEvent(
                time: time, kind: .attributes, path: try state.path(of: row), device: device, before: row.hash,
                after: row.hash, attributes: before)
            if let giver = try giver(of: row, since: before) { event.device = try label(giver) }
            try log(event)
        }
    }

    private static let unreadNote = "What was there could not be read; it is in the trash as it is. Check the disk."

    /// Who made the change that the step brings: of one item this device may have changed something else. Nil where it was
    /// this one.
    private func author(
        of step: Intent.Step, _ member: Member, _ shown: [ItemID: ShownItem]
    ) throws -> String? {
        guard let item = try shown[member.item] ?? state.item(member.item).map(ShownItem.init) else { return nil }
        let own = try state.numbers().device
        let change: Dot? =
            switch step {
            case .place, .replace: member.dots.first
            case .move: item.claim
            case .park, .remove, .removeFolder, .setAttributes: nil
            }
        // What is brought again, as after a delete here, is told by what others did to it.
        let dot = change.flatMap { $0.device == own ? nil : $0 } ?? item.newest
        return try label(dot)
    }

    /// Who gave the row those attributes that it did not have before: of a file in conflict the copy takes part in what was done
    /// here to the file.
    private func giver(of row: Row, since before: Attributes?) throws -> Dot? {
        guard let member = row.members.first, let item = try state.item(member.item)?.state else { return nil }
        let given = row.attributes.differences(from: before ?? Attributes(), kind: row.kind)
        return given.keys.compactMap { item.attributes[$0]?.tag }.max()?.dot
    }

    /// Nil for this device.
    private func label(_ dot: Dot) throws -> String? {
        try dot.device == state.numbers().device ? nil : state.labels().text(dot)
    }

    /// Where the item was. What waits for its place still has the one before, beneath where that folder is now; nil where it is
    /// gone meanwhile.
    private func formerPath(_ row: Row) throws -> DrivePath? {
        guard row.isParked else { return try state.path(of: row) }
        return try state.row(row.parent).map { try state.path(of: $0).appending(row.name) }
    }

    private func note(on row: Row) throws -> String? {
        guard row.isDerived else { return nil }
        return "Two devices wrote this file at once; both contents are kept. `docdrive conflicts` lists them."
    }

    /// Removes a staged file that is ours: only the very inode that the intent names.
    func discardOurs(_ staged: FileName, _ identity: FileIdentity) throws {
        let incoming = try files.open(.incoming)
        guard let facts = try files.look(at: staged, in: incoming), facts.identity == identity else { return }
        if facts.kind == .folder {
            _ = try files.removeFolder(staged, in: incoming)
        } else {
            try files.discard(staged, in: .incoming)
        }
    }

    /// Whether it is the very inode that we staged, with the bytes that we gave it: for a moment it had a name that people
    /// know.
    func isOurs(_ staged: FileName, _ intent: Intent, in folder: OpenFolder) throws -> Bool {
        guard let facts = try files.look(at: staged, in: folder), facts.identity == intent.identity else {
            return false
        }
        do throws(DriveError) { return try files.contentHash(of: staged, in: folder) == intent.row.hash } catch {
            guard error.remedy == .skip else { throw error }
            return facts.isDated(as: intent.row.facts)
        }
    }

    /// Takes our own staged file back from `.outgoing`, where an exchange was undone. What a person wrote into it stays,
    /// and goes to the trash with what else is left there.
    func retrieveOurs(_ staged: FileName, _ intent: Intent) throws {
        let outgoing = try files.open(.outgoing)
        guard try isOurs(staged, intent, in: outgoing) else { return }
        _ = try files.move(staged, in: outgoing, to: staged, in: files.open(.incoming))
    }

    /// Ends a folder that was taken out. If somebody put something into it in that moment, it goes back.
    func endFolder(_ staged: FileName, _ row: Row) throws {
        let outgoing = try files.open(.outgoing)
        guard try files.removeFolder(staged, in: outgoing) == .occupied else { return }
        try giveBack(staged, .outgoing, row)
    }
}
