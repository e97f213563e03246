/// What an operation did, in another order that says the same.
///
/// A folder comes to a name while what had it waits aside, and until that goes on the log has both at the name: what came out of
/// the folder meanwhile, or into it, may be of either. As a rule it is of the one that came. Told after the other has gone on, that
/// is what the log says.
struct WaitingOrder {
    /// The last first.
    private(set) var events: [DriveEvent]
    /// For what came out of a folder meanwhile: where it would be now, had it been in the one that waited and stayed there.
    private var places: [DrivePath] = []
    /// Each is looked at with each.
    private static let most = 1_000

    /// Of the events of one operation, the last first. Nil where none of them waits, or where the others would not say the same.
    init?(_ events: [DriveEvent]) {
        guard events.count <= Self.most else { return nil }
        var list = Array(events.reversed())
        var waits: [Wait] = []
        for place in list.indices {
            guard let wait = Wait(at: place, list) else { continue }
            guard !wait.isCrossed else { return nil }
            list.replaceSubrange(wait.start...place, with: wait.others + [wait.leaving] + wait.inside)
            waits.append(wait)
        }
        guard !waits.isEmpty else { return nil }
        self.events = list.reversed()
        let folders = FolderMoves(self.events)
        let ends = self.events.enumerated().map { folders.later($1.path, since: $0, $1.operation?.id) }
        for wait in waits where wait.leaving.left == .folder {
            guard let since = self.events.firstIndex(of: wait.leaving) else { return nil }
            for from in wait.cameOut {
                let there = from.moved(from: wait.name, to: wait.leaving.path)
                let place = folders.later(there, since: since, wait.leaving.operation?.id)
                // What the operation has put there says nothing of what was there before.
                let isNew = ends.contains { $0 != ends[since] && $0.isInside(ends[since]) && place.isInside($0) }
                guard !isNew else { return nil }
                places.append(place)
            }
        }
    }

    /// Whether nothing came out of what waited: it has all that would have.
    func isCertain(_ standing: (DrivePath) throws -> UndoPlan.Standing) rethrows -> Bool {
        try places.allSatisfy { try standing($0) != .nothing }
    }
}

/// What left a name after a folder had come to it, and what happened in that folder meanwhile.
private struct Wait {
    var name: DrivePath
    var leaving: DriveEvent
    var inside: [DriveEvent] = []
    /// What happened elsewhere, since the first that happened inside.
    var others: [DriveEvent] = []
    var start = 0

    /// Of events as they happened; nil where nothing happened inside.
    init?(at place: Int, _ events: [DriveEvent]) {
        leaving = events[place]
        guard leaving.isMove, let name = leaving.from,
            let coming = events[..<place].lastIndex(where: { $0.isMove && $0.left == .folder && $0.path == name }),
            let start = events[(coming + 1)..<place].firstIndex(where: { $0.isBeneath(name) })
        else { return nil }
        (self.name, self.start) = (name, start)
        for event in events[start..<place] {
            if event.isBeneath(name) { inside.append(event) } else { others.append(event) }
        }
    }

    /// Where moves have taken it from.
    var cameOut: [DrivePath] { inside.filter(\.isMove).compactMap(\.from).filter { $0 != name && $0.isInside(name) } }

    /// Whether a folder that moved would give other paths to what is told before it, or behind it, now.
    var isCrossed: Bool {
        let elsewhere = others + [leaving]
        return inside.contains { event in
            elsewhere.contains { other in
                other.takesAlong(event, but: name) || event.takesAlong(other)
            }
        }
    }
}

extension DriveEvent {
    fileprivate func isBeneath(_ folder: DrivePath) -> Bool {
        [path, from].contains { $0.map { $0 != folder && $0.isInside(folder) } ?? false }
    }

    /// As a folder that moves does with what is told of within where it was, or where it came to. `name` is where it was for certain.
    fileprivate func takesAlong(_ event: DriveEvent, but name: DrivePath? = nil) -> Bool {
        guard isMove, left == .folder, let from else { return false }
        if from != name, event.isBeneath(from) { return true }
        return [event.path, event.from].contains { $0?.isInside(path) ?? false }
    }
}
