// What was renamed or moved.
extension UndoPlan {
    func isAsLeft(_ move: DriveEvent, _ ground: some UndoGround) throws -> Bool {
        try standing(move.path, ground) == move.left
    }

    mutating func moveBack(_ event: DriveEvent, _ now: Standing, to from: DrivePath, _ ground: some UndoGround) throws {
        guard now == event.left else {
            // It is back already.
            if try now == .nothing && standing(from, ground) == event.left { return }
            return try stop(event, now, ground)
        }
        if case .content = now, try isNested(event.path, from, ground) {
            add(.moveNested(event.path, to: from))
            planned[event.path] = from.parent == event.path ? .folder : .nothing
            planned[from] = now
            return try putBackContent(of: event, ground)
        }
        let there = try standing(from, ground)
        guard there == .nothing, !from.isInside(event.path) else {
            return stop(from, there == .unseen ? .unseen : .placeTaken)
        }
        if try comesBack(from.parent, ground) { return stop(from, .placeTaken) }
        add(.move(event.path, to: from))
        if now == .folder { moveContents([(event.path, from)]) }
        planned[event.path] = .nothing
        planned[from] = now
        try putBackContent(of: event, ground)
    }

    /// A file that went into a new folder of its own name, or took the place of the folder that it was in.
    private mutating func isNested(_ path: DrivePath, _ from: DrivePath, _ ground: some UndoGround) throws -> Bool {
        if from.parent == path { return true }
        guard path.parent == from, newFolders.contains(from), try standing(from, ground) == .folder else {
            return false
        }
        let known = planned[path]
        defer { planned[path] = known }
        planned[path] = .nothing
        return try isEmpty(from, ground)
    }

    /// What has changed places: each has the name that the next one had.
    mutating func rotateBack(_ events: [DriveEvent], _ ground: some UndoGround) throws {
        let deed = Deed.rotate(events.map(\.path))
        add(deed)
        let arrived = try deed.moves.map { try (path: $0.to, standing: standing($0.from, ground)) }
        moveContents(zip(deed.moves, arrived).filter { $1.standing == .folder }.map(\.0))
        for (path, standing) in arrived { planned[path] = standing }
        for event in events { try putBackContent(of: event, ground) }
    }

    /// Of what was moved and edited in one.
    private mutating func putBackContent(of event: DriveEvent, _ ground: some UndoGround) throws {
        guard let from = event.from, let before = event.before, let after = event.after, before != after else { return }
        guard try ground.mayHave(before) else { return stop(from, .notKept) }
        put(before, event.attributes, at: from, replacing: after)
    }

    /// Folders move at once, with what is in them.
    private mutating func moveContents(_ group: [(from: DrivePath, to: DrivePath)]) {
        planned.move(group)
        moves.append(group)
    }
}

extension DriveEvent {
    /// What it left under its path.
    var left: UndoPlan.Standing { after.map { .content($0) } ?? .folder }
}

extension DriveEvent {
    /// What is to be reversed after folders that moved before it are back has lost the paths of its time.
    mutating func carry(_ moves: [(from: DrivePath, to: DrivePath)]) {
        path = path.carried(moves)
        from = from?.carried(moves)
    }
}

extension DrivePath {
    /// Where what lies in one of these folders is once they have moved.
    fileprivate func carried(_ moves: [(from: DrivePath, to: DrivePath)]) -> DrivePath {
        guard let move = moves.first(where: { self != $0.from && isInside($0.from) }) else { return self }
        return moved(from: move.from, to: move.to)
    }
}
