import DriveCore

/// What the log knows of paths: what happened there last, and what became of what is gone. Read once, and only if asked.
struct ItemHistory {
    private let state: any DriveState
    /// The newest first.
    private lazy var events: [DriveEvent] = (try? state.events(limit: .max)) ?? []
    private lazy var history = PathHistory(events)
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
        switch history.fate(of: path) {
        case .gone(let departure): .deleted(departure.event, trash: trashed(departure.path))
        // A folder takes along what is in it, and nothing that never was.
        case .moved(let event, let place) where try history.mentions(path) || state.row(at: place) != nil:
            .moved(event, to: place)
        case .moved: nil
        case nil: try pastWithoutLog(of: path)
        }
    }

    private mutating func pastWithoutLog(of path: DrivePath) throws -> ItemFacts.Past? {
        let trash = trashed(path)
        guard try trash != nil || state.hasDeadItem(named: path) else { return nil }
        return .deletedEarlier(trash: trash)
    }

    private mutating func trashed(_ path: DrivePath) -> String? {
        trash.last { $0.path == path && $0.reason == .deleted }?.name.description
    }
}

extension DriveEvent {
    /// What somebody found who read the file, which is no change of it.
    fileprivate var isOfReading: Bool { kind == .error || kind == .recovered && operation?.kind == .local }
}
