/// What became of what had a path, as the log tells it: each of its events has the paths of its time. What became of something else
/// says nothing of a path beneath it, unless that was a folder, and went elsewhere: of what went with a folder that was deleted
/// there are events of its own.
public struct PathHistory: Sendable {
    /// As they happened.
    private let events: [DriveEvent]
    private let rounds: ExchangeRounds
    /// Those by which something left a path, by that path.
    private var departures: [DrivePath: [Int]] = [:]
    /// Those by which a path got another content.
    private var replacements: [DrivePath: [Int]] = [:]
    /// Those by which a content was deleted, by that content.
    private var deletes: [ContentHash: [Int]] = [:]
    /// Those by which this device made a content, by that content.
    private var made: [ContentHash: [Int]] = [:]
    /// The last event at each path that says what is there.
    private var newest: [DrivePath: Int] = [:]

    public enum Fate: Hashable, Sendable {
        case gone(Departure)
        /// Last by this event, and where it is since.
        case moved(DriveEvent, to: DrivePath)
    }

    /// That something was deleted.
    public struct Departure: Hashable, Sendable {
        public var event: DriveEvent
        /// The path that it had then.
        public var path: DrivePath
        /// The one by which records know it: its folders may have been renamed since.
        public var recorded: DrivePath
    }

    /// Of all events of the log, the newest first.
    public init(_ events: [DriveEvent]) {
        self.events = events.reversed()
        rounds = ExchangeRounds(self.events)
        for (place, event) in self.events.enumerated() {
            if !event.isOnlyTold { newest[event.path] = place }
            if event.before != nil, !event.isGone, event.from == nil {
                replacements[event.path, default: []].append(place)
            }
            if let content = event.after, event.device == nil, event.from == nil, event.before != content {
                made[content, default: []].append(place)
            }
            if event.isGone, let content = event.before { deletes[content, default: []].append(place) }
            let left = event.from ?? (event.isGone ? event.path : nil)
            if let left { departures[left, default: []].append(place) }
        }
    }

    /// When the first of the events happened, as this device's clock said; nil where there is none.
    public var begin: UInt64? { events.first?.time }

    /// Whether anything is told of the path itself: else nothing need have been there.
    public func mentions(_ path: DrivePath) -> Bool { newest[path] != nil || departures[path] != nil }

    /// When this device last gave a file this content, up to a time, all as its own clock said; the file at the path, or, where
    /// nothing is told of that, any. Nil where nothing is told at all.
    public func madeHere(_ content: ContentHash, at path: DrivePath, through time: UInt64) -> UInt64? {
        let all = (made[content] ?? []).lazy.map { events[$0] }.filter { $0.time <= time }
        return (all.last { $0.path == path } ?? all.last)?.time
    }

    /// By what a file got other contents at the path that it left by this event, the last first; as long as it had that path. What
    /// had it before its folder, or another one, got the name of the folder was another file, or had another path.
    public func replacements(at path: DrivePath, before departure: DriveEvent) -> [DriveEvent] {
        guard let end = departures[path]?.last(where: { events[$0] == departure }) else { return [] }
        var found: [DriveEvent] = []
        for event in events[..<end].reversed() where !event.isOnlyTold {
            if event.movesAFolder, path.isInside(event.path) || event.from.map({ path.isInside($0) }) == true { break }
            if event.path != path { continue }
            guard event.before != nil, !event.isGone, event.from == nil else { break }
            found.append(event)
        }
        return found
    }

    /// By what a file that held this was deleted at the path, the last time; whatever came there since.
    public func deletion(of content: ContentHash, at path: DrivePath) -> DriveEvent? {
        let all = (departures[path] ?? []).lazy.map { events[$0] }
        return all.last { $0.isGone && $0.before == content }
    }

    /// By what files that held this were deleted, wherever they were, the last first.
    public func deletions(of content: ContentHash) -> some Sequence<DriveEvent> {
        (deletes[content] ?? []).lazy.reversed().map { events[$0] }
    }

    /// Of what was at the path last. Nil where the log tells nothing of it, and where it never left.
    public func fate(of path: DrivePath) -> Fate? {
        guard let last = newest[path] else { return follow(path, after: nil) }
        return events[last].isGone ? gone(path, last) : follow(path, after: last)
    }

    /// Of what was at the path when this content was replaced there, at a time as the clock of then said. The log has it in the order
    /// of what happened; where it has nothing of it, the time has to do.
    public func fate(of path: DrivePath, replaced content: ContentHash?, at time: UInt64) -> Fate? {
        if let content, let place = replacements[path]?.last(where: { events[$0].before == content }) {
            return follow(path, after: place)
        }
        let first = events.partition { $0.time >= time }
        return follow(path, after: first == 0 ? nil : first - 1, isOfIt: false)
    }

    /// What was deleted, under the paths beneath a folder, or its own, that records do not know it by any more. Where the folder
    /// was deleted itself, also what had gone elsewhere by then.
    public func renamedDepartures(in folder: DrivePath) -> [(path: DrivePath, departure: Departure)] {
        if folder.isRoot { return [] }
        var isGone = false
        if case .gone? = fate(of: folder) { isGone = true }
        return Set(newest.keys.filter { $0.isInside(folder) }).union([folder]).sorted().compactMap { path in
            guard case .gone(let departure)? = fate(of: path), departure.event.kind == .deleted,
                isGone || departure.path.isInside(folder), !departure.recorded.isInside(folder)
            else { return nil }
            return (path, departure)
        }
    }

    private func gone(_ path: DrivePath, _ place: Int) -> Fate {
        var recorded = path
        var last = place
        while let (left, move) = next(recorded, after: last, isDeleted: true) {
            recorded = recorded.moved(from: left, to: events[move].path)
            last = move
        }
        return .gone(Departure(event: events[place], path: path, recorded: recorded))
    }

    /// `isOfIt`: the event before is one of what is followed, and not just what happened before.
    private func follow(_ path: DrivePath, after start: Int?, isOfIt: Bool = true) -> Fate? {
        var (current, last, isOfIt) = (path, start, isOfIt)
        var moved: DriveEvent?
        while let (left, step) = next(current, after: last, isOfIt: isOfIt) {
            if events[step].isGone { return gone(current, step) }
            current = current.moved(from: left, to: events[step].path)
            (last, moved, isOfIt) = (step, events[step], true)
        }
        return moved.map { .moved($0, to: current) }
    }

    /// The next event by which it left its place, or a folder that it is in did; what is deleted itself goes only with one.
    private func next(
        _ path: DrivePath, after last: Int?, isDeleted: Bool = false, isOfIt: Bool = true
    ) -> (left: DrivePath, place: Int)? {
        var found: (left: DrivePath, place: Int)?
        var left = isDeleted ? path.parent : path
        while !left.isRoot {
            let all = departures[left] ?? []
            let later = all[all.partition { $0 > last ?? -1 }...]
            let place = later.first { place in
                let event = events[place]
                if left != path, !event.movesAFolder { return false }
                guard isOfIt, let last else { return true }
                return !rounds.areOne(last, place) && !events[last].tookTheName(before: event)
            }
            if let place, place < found?.place ?? .max { found = (left, place) }
            left = left.parent
        }
        return found
    }
}

extension DriveEvent {
    /// What has a content holds nothing else.
    fileprivate var movesAFolder: Bool { from != nil && before == nil && after == nil }

    /// It says nothing of what is at the path: what somebody found who read a file, or what waits for a decision.
    fileprivate var isOnlyTold: Bool {
        switch kind {
        case .error, .forked: true
        case .recovered: operation?.kind == .local
        default: false
        }
    }
}
