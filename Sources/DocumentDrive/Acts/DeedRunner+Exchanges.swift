import DriveCore
import FileCoordination

// What takes the place of something else: there is always a file under the name.
extension DeedRunner {
    /// Exchange, look at what came out, put it back if it is not what was expected.
    mutating func replace(
        at path: DrivePath, _ staged: FileName, _ facts: FileFacts, _ hash: ContentHash, _ old: ContentHash,
        _ place: Int
    ) throws -> String? {
        guard let (name, folder, now) = try standing(at: path), now.kind == .file || now.kind == .link else {
            try parts.files.discard(staged, in: .incoming)
            return Self.isGone
        }
        let row = try self.row(of: now, at: path)
        let before = try attributes(row, now, name, folder)
        try? parts.files.adoptLocalMetadata(from: name, in: folder, to: staged)
        let outgoing = try parts.files.open(.outgoing)
        guard try exchange(staged, facts.identity, with: name, in: folder) else { return Self.isGone }
        guard try parts.files.contentHash(of: staged, in: outgoing) == old else {
            _ = try parts.files.exchange(staged, in: outgoing, with: name, in: folder)
            _ = try parts.files.move(staged, in: outgoing, to: staged, in: parts.files.open(.incoming))
            if try parts.files.look(at: staged, in: parts.files.open(.incoming))?.identity == facts.identity {
                try parts.files.discard(staged, in: .incoming)
            }
            return Self.hasChanged
        }
        ending.successors[now.identity] = nil
        ending.successors[facts.identity] = Successor(row: row?.id, hash: hash)
        guard let entry = entries[place],
            try parts.files.move(staged, in: outgoing, to: entry.name, in: parts.files.open(.trash)) == .done
        else { return Self.hasChanged }
        finder.add(entry)
        note(.edited, path, before: old, after: hash, attributes: before)
        return nil
    }

    /// Through `.outgoing`, where what comes out is not given up. Where it cannot be, what was staged goes: nobody has seen it.
    private func exchange(
        _ staged: FileName, _ identity: FileIdentity, with name: FileName, in folder: OpenFolder
    ) throws -> Bool {
        let (incoming, outgoing) = (try parts.files.open(.incoming), try parts.files.open(.outgoing))
        guard try parts.files.move(staged, in: incoming, to: staged, in: outgoing) == .done else { return false }
        var isExchanged = false
        defer { if !isExchanged { giveUp(staged, identity) } }
        isExchanged = try parts.files.exchange(staged, in: outgoing, with: name, in: folder) == .done
        return isExchanged
    }

    /// Only where it is what was staged: an exchange may have been told as failed that was done.
    private func giveUp(_ staged: FileName, _ identity: FileIdentity) {
        guard let incoming = try? parts.files.open(.incoming), let outgoing = try? parts.files.open(.outgoing),
            (try? parts.files.look(at: staged, in: outgoing))?.identity == identity,
            (try? parts.files.move(staged, in: outgoing, to: staged, in: incoming)) == .done
        else { return }
        try? parts.files.discard(staged, in: .incoming)
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
        let outgoing = try isExchanged ? nil : attributes(toRow, other, name, target)
        let copied = try isExchanged ? nil : attributes(row, facts, copy, folder)
        guard try isExchanged || parts.files.exchange(copy, in: folder, with: name, in: target) == .done else {
            return Self.isGone
        }
        var isMoved = false
        // Half of it would look as if somebody had let the two change places, which ends the conflict.
        defer { if !isMoved { _ = try? parts.files.exchange(copy, in: folder, with: name, in: target) } }
        isMoved = try parts.files.move(copy, in: folder, to: entry.name, in: parts.files.open(.trash)) == .done
        guard isMoved else { return Self.isGone }
        if let row { ending.gone.insert(row.id) }
        finder.add(entry)
        // The last is reversed first: what was under the name comes back, then the copy beside it.
        note(.trashed, from, before: hash, attributes: copied)
        note(.edited, to, before: old, after: hash, attributes: outgoing)
        return nil
    }
}
