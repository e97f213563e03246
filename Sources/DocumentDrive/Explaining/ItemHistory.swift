import DriveCore

/// What the log knows of paths: what happened there last, and what became of what is gone. Read once, and only if asked.
struct ItemHistory {
    private let state: any DriveState
    /// The newest first.
    private lazy var events: [DriveEvent] = (try? state.events(limit: .max)) ?? []
    private lazy var trash: [TrashEntry] = (try? state.trash()) ?? []

    init(_ state: any DriveState) { self.state = state }

    /// The last event there; that a delete was undone by an edit, where nothing has replaced what was kept.
    mutating func latest(of path: DrivePath) throws -> DriveEvent? {
        var latest: DriveEvent?
        for event in events where event.path == path && !event.isOfReading {
            latest = latest ?? event
            if event.isKeptChange { return event }
            guard [.added, .attributes, .conflict].contains(event.kind) else { break }
        }
        return latest
    }

    /// Nil where neither the log, the trash nor a record has anything of it.
    mutating func past(of path: DrivePath) throws -> ItemFacts.Past? {
        guard let (place, left) = leaving(path) else { return try pastWithoutLog(of: path) }
        let event = events[place]
        if event.isGone { return .deleted(event, trash: trashed(path)) }
        return follow(event, from: event.path.appending(path, beneath: left), in: events[..<place].reversed())
    }

    private mutating func pastWithoutLog(of path: DrivePath) throws -> ItemFacts.Past? {
        let trash = trashed(path)
        guard try trash != nil || state.hasDeadItem(named: path) else { return nil }
        return .deletedEarlier(trash: trash)
    }

    /// The event by which it left its place, and what left with it: the item itself, or a folder that it was in. What left a
    /// folder is not in it when that leaves later.
    private mutating func leaving(_ path: DrivePath) -> (place: Int, what: DrivePath)? {
        var found: (place: Int, what: DrivePath)?
        for (place, event) in events.enumerated() {
            let left = event.isGone ? event.path : event.from
            if let left, path.isInside(left), left.components.count > found?.what.components.count ?? 0 {
                found = (place, left)
            }
            if event.path == path || event.from == path { break }
        }
        return found
    }

    /// Where something is after a move and what happened later.
    private mutating func follow(
        _ event: DriveEvent, from start: DrivePath, in later: [DriveEvent]
    ) -> ItemFacts.Past {
        var (last, place) = (event, start)
        for event in later {
            if event.isGone, place.isInside(event.path) { return .deleted(event, trash: trashed(place)) }
            guard let from = event.from, place.isInside(from),
                !last.tookTheName(before: event)
            else { continue }
            (last, place) = (event, event.path.appending(place, beneath: from))
        }
        return .moved(last, to: place)
    }

    private mutating func trashed(_ path: DrivePath) -> String? {
        trash.last { $0.path == path && $0.reason == .deleted }?.name.description
    }
}

extension DriveEvent {
    /// What somebody found who read the file, which is no change of it.
    fileprivate var isOfReading: Bool { kind == .error || kind == .recovered && operation?.kind == .local }
}

extension DrivePath {
    /// What `path` has beneath `folder`, beneath this.
    fileprivate func appending(_ path: DrivePath, beneath folder: DrivePath) -> DrivePath {
        DrivePath(components + path.components.dropFirst(folder.components.count))
    }
}
