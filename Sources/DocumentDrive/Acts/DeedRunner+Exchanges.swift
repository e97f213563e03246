import DriveCore
import FileCoordination

// What takes the place of something else: there is always a file under the name.
extension DeedRunner {
    /// Exchange, look at what came out, put it back if it is not what was expected.
    mutating func replace(at path: DrivePath, _ staged: Staged, _ old: ContentHash, _ place: Int) throws -> String? {
        guard let (name, folder, now) = try standing(at: path), now.kind == .file || now.kind == .link else {
            try parts.files.discard(staged.name, in: .incoming)
            return Self.isGone
        }
        let row = try self.row(of: now, at: path)
        let before = try attributes(row, now, name, folder)
        // A file that only its owner may read is not to be open to others under the same name.
        try parts.files.adoptLocalMetadata(from: name, in: folder, to: staged.name)
        guard let entry = entries[place], try exchange(staged, with: name, in: folder) else { return Self.isGone }
        let taken = TakenOut(parts: parts, name: staged.name)
        guard
            try taken.goToTrash(
                ifItHas: old, Row.known(row, now, old), orElse: { try putBack(taken, staged, name, folder, path) })
        else { return Self.hasChanged }
        ending.successors[now.identity] = nil
        ending.successors[staged.facts.identity] = Successor(row: row?.id, hash: staged.hash)
        finder.add(entry)
        note(.edited, path, before: old, after: staged.hash, attributes: before)
        return nil
    }

    /// Through `.outgoing`, where what comes out is not given up. Where it cannot be, what was staged goes: nobody has seen it.
    private func exchange(_ staged: Staged, with name: FileName, in folder: OpenFolder) throws -> Bool {
        let (incoming, outgoing) = (try parts.files.open(.incoming), try parts.files.open(.outgoing))
        guard try parts.files.move(staged.name, in: incoming, to: staged.name, in: outgoing) == .done else {
            return false
        }
        var isExchanged = false
        defer { if !isExchanged { giveUp(staged) } }
        isExchanged = try parts.files.exchange(staged.name, in: outgoing, with: name, in: folder) == .done
        return isExchanged
    }

    /// Only where it is what was staged: an exchange may have been told as failed that was done.
    private func giveUp(_ staged: Staged) {
        guard let incoming = try? parts.files.open(.incoming), let outgoing = try? parts.files.open(.outgoing),
            (try? parts.files.look(at: staged.name, in: outgoing))?.identity == staged.facts.identity,
            (try? parts.files.move(staged.name, in: outgoing, to: staged.name, in: incoming)) == .done
        else { return }
        try? parts.files.discard(staged.name, in: .incoming)
    }

    /// What was taken out is a person's save. It gets its name again where what was staged still has it; else somebody has
    /// saved or removed that since, which is what they saw, and theirs lies beside it.
    private func putBack(
        _ taken: TakenOut, _ staged: Staged, _ name: FileName, _ folder: OpenFolder, _ path: DrivePath
    ) throws {
        let outgoing = try parts.files.open(.outgoing)
        if let now = try parts.files.look(at: name, in: folder), now.identity == staged.facts.identity,
            now.isDated(as: staged.facts),
            try parts.files.exchange(taken.name, in: outgoing, with: name, in: folder) == .done,
            try isStaged(staged, in: outgoing)
        {
            let incoming = try parts.files.open(.incoming)
            guard try parts.files.move(taken.name, in: outgoing, to: taken.name, in: incoming) == .done else { return }
            return try parts.files.discard(taken.name, in: .incoming)
        }
        try taken.giveBack(as: name, in: folder, at: path)
    }

    /// With the bytes that it was given, and nobody writes it: for a moment it had a name that people know.
    private func isStaged(_ staged: Staged, in folder: OpenFolder) throws -> Bool {
        guard try parts.files.look(at: staged.name, in: folder)?.identity == staged.facts.identity,
            !parts.files.hasWriter(staged.name, in: folder)
        else { return false }
        return (try? parts.files.contentHash(of: staged.name, in: folder)) == staged.hash
    }

    /// The copy has the file's name from the first moment on, and there is never none.
    mutating func moveOver(
        _ from: DrivePath, _ hash: ContentHash, _ to: DrivePath, _ old: ContentHash, _ place: Int
    ) throws -> String? {
        guard let copy = from.name, let name = to.name, let folder = try folders.open(from.parent),
            let target = try folders.open(to.parent), let entry = entries[place],
            let other = try parts.files.look(at: name, in: target)
        else { return Self.isGone }
        let row = try parts.state.row(at: from)
        let toRow = try parts.state.row(at: to)
        guard let facts = try parts.files.look(at: copy, in: folder) else {
            // Somebody was killed after it was done, and asks again.
            return try isExpected(toRow, other, hash, name, target) ? nil : Self.copyIsGone
        }
        // Somebody was killed right after the exchange, and asks again.
        let isExchanged =
            try isExpected(row, facts, old, copy, folder) && isExpected(toRow, other, hash, name, target)
        guard
            try isExchanged
                || isExpected(row, facts, hash, copy, folder) && isExpected(toRow, other, old, name, target)
        else { return Self.hasChanged }
        let replaced = try isExchanged ? nil : attributes(toRow, other, name, target)
        let copied = try isExchanged ? nil : attributes(row, facts, copy, folder)
        guard try isExchanged || parts.files.exchange(copy, in: folder, with: name, in: target) == .done else {
            return Self.isGone
        }
        let outgoing = try parts.files.open(.outgoing)
        var isTaken = false
        // Half of it would look as if somebody had let the two change places, which ends the conflict.
        defer { if !isTaken { exchangeBack(from, copy, folder, with: (to, name, target)) } }
        isTaken = try parts.files.move(copy, in: folder, to: entry.name, in: outgoing) == .done
        guard isTaken else { return Self.isGone }
        let taken = TakenOut(parts: parts, name: entry.name)
        guard
            try taken.goToTrash(
                ifItHas: old, isExchanged ? Row.known(row, facts, old) : Row.known(toRow, other, old),
                orElse: {
                    // What was under the name comes back there, and the copy beside it.
                    if try parts.files.exchange(entry.name, in: outgoing, with: name, in: target) == .done {
                        try taken.giveBack(as: copy, in: folder, at: from)
                    } else {
                        try taken.giveBack(as: name, in: target, at: to)
                    }
                })
        else { return Self.hasChanged }
        if let row { ending.gone.insert(row.id) }
        finder.add(entry)
        // The last is reversed first: what was under the name comes back, then the copy beside it.
        note(.trashed, from, before: hash, attributes: copied)
        note(.edited, to, before: old, after: hash, attributes: replaced)
        return nil
    }
}
