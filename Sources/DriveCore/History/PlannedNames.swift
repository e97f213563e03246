/// What has names once the deeds of a plan are done, as far as they say something of them; by path, and by the folder around.
struct PlannedNames: Sendable {
    private var standings: [DrivePath: UndoPlan.Standing] = [:]
    /// What is planned in each folder, or in a folder there. Some of it may be planned no more.
    private var names: [DrivePath: Set<FileName>] = [:]

    subscript(path: DrivePath) -> UndoPlan.Standing? {
        get { standings[path] }
        set {
            standings[path] = newValue
            if newValue != nil { note(path) }
        }
    }

    private mutating func note(_ path: DrivePath) {
        var path = path
        while let name = path.name, names[path.parent, default: []].insert(name).inserted { path = path.parent }
    }

    /// Whether something is to be in the folder itself.
    func isSomething(in folder: DrivePath) -> Bool {
        (names[folder] ?? []).contains { name in
            standings[folder.appending(name)].map { $0 != .nothing } ?? false
        }
    }

    /// Folders move at once: what is planned for names in them, and for their own, goes with them, and what was planned for where they
    /// go is planned no more.
    mutating func move(_ group: [(from: DrivePath, to: DrivePath)]) {
        let taken = group.map { move in
            take(move.from).map { ($0.path.moved(from: move.from, to: move.to), $0.standing) }
        }
        for move in group { _ = take(move.to) }
        for (path, standing) in taken.joined() { self[path] = standing }
    }

    /// Of the path and of all that is in it nothing is planned any more.
    private mutating func take(_ path: DrivePath) -> [(path: DrivePath, standing: UndoPlan.Standing)] {
        var taken: [(path: DrivePath, standing: UndoPlan.Standing)] = []
        var waiting = [path]
        while let next = waiting.popLast() {
            if let standing = standings.removeValue(forKey: next) { taken.append((next, standing)) }
            waiting += (names.removeValue(forKey: next) ?? []).map(next.appending)
        }
        return taken
    }
}

/// The folders that a plan moves, one group after the other; those of one group move at once.
struct PlannedMoves: Sendable {
    private(set) var groups: [[(from: DrivePath, to: DrivePath)]] = []
    private var byPath = MovesByPath()

    mutating func append(_ group: [(from: DrivePath, to: DrivePath)]) {
        for (from, to) in group {
            byPath.add(groups.count, at: from)
            byPath.add(groups.count, at: to)
        }
        groups.append(group)
    }

    /// Where that is now which will be at a path: what is beneath a folder that is planned to move lies still where that
    /// folder is. Nil for where nothing is left then.
    func place(of path: DrivePath) -> DrivePath? {
        var place = path
        var end = groups.count
        while let number = byPath.last(below: end, around: place) {
            guard let move = groups[number].first(where: { place.isInside($0.to) }) else { return nil }
            place = place.moved(from: move.to, to: move.from)
            end = number
        }
        return place
    }
}
