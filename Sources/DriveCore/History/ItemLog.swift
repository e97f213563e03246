/// What the log tells of one item: all that happened at the path that is asked for, and, from each move to there back, what happened
/// to the same item under the names that it had before, its own and those of its folders. Folders that moved with it are told too.
public struct ItemLog {
    /// As they happened.
    private let events: [DriveEvent]
    private let rounds: ExchangeRounds
    private let path: DrivePath
    private var told: Set<Int> = []
    private var names: [EarlierName] = []
    /// Whether something is known to have had the path right after the event that is looked at.
    private var isThere: Bool
    /// By which a folder left that the path is in: told once something shows that the item was in it.
    private var departure: Int?
    /// Where folders changed places, one came to its name before the log has the other leave it: by that event the departure that
    /// was before it.
    private var overtaken: [Int: Int] = [:]

    private struct EarlierName {
        var path: DrivePath
        /// The move by which it got the next one.
        var last: Int
        /// Something shows that the item was there; else moves of folders that it would have been in wait to be told.
        var isKnown = false
        var untold: [Int] = []
        /// It had been deleted before.
        var isBroughtBack = false
        /// What had the name before was another item.
        var isEnded = false
    }

    /// Of all events of the log, the newest first; `isThere`: the path has an item now.
    public init(of path: DrivePath, isThere: Bool, _ events: [DriveEvent]) {
        (self.path, self.isThere) = (path, isThere)
        self.events = events.reversed()
        rounds = ExchangeRounds(self.events)
        for place in self.events.indices.reversed() {
            for number in names.indices { names[number] = followed(names[number], place) }
            names.removeAll(where: \.isEnded)
            look(at: place)
        }
    }

    public var newestFirst: [DriveEvent] { told.sorted(by: >).map { events[$0] } }

    /// At the path that is asked for everything is told, whatever had it.
    private mutating func look(at place: Int) {
        let event = events[place]
        if event.concerns(path) { told.insert(place) }
        if event.brings(path), let from = event.from {
            let isOwn = event.path == path
            let untold = [departure, place].compactMap(\.self)
            add(EarlierName(path: path.moved(from: event.path, to: from), last: place), untold, isThere || isOwn)
            (isThere, departure) = (false, nil)
        } else if event.takes(path) {
            if event.from == path || event.isGone {
                (isThere, departure) = (true, nil)
            } else if let came = taker(ofTheNameLeftBy: place) {
                overtaken[came] = place
            } else {
                (isThere, departure) = (false, place)
            }
        } else if event.concerns(path) {
            if let departure { told.insert(departure) }
            (isThere, departure) = (!(event.path == path && event.begins), nil)
        }
        if let left = overtaken.removeValue(forKey: place) { (isThere, departure) = (false, left) }
    }

    private mutating func add(_ name: EarlierName, _ untold: [Int], _ isKnown: Bool) {
        let number = names.firstIndex { $0.path == name.path } ?? names.endIndex
        var name = number < names.endIndex ? names.remove(at: number) : name
        name.untold += untold
        if isKnown || name.isKnown { tell(&name) }
        names.append(name)
    }

    private mutating func tell(_ name: inout EarlierName) {
        name.isKnown = true
        told.formUnion(name.untold)
        name.untold = []
    }

    private mutating func followed(_ name: EarlierName, _ place: Int) -> EarlierName {
        let event = events[place]
        var name = name
        if event.brings(name.path), let from = event.from {
            if isOfAnother(place, before: name.last) { return name }
            name.untold.append(place)
            if name.isKnown || event.path == name.path { tell(&name) }
            (name.path, name.last) = (name.path.moved(from: event.path, to: from), place)
        } else if event.takes(name.path), !(event.isGone && name.isBroughtBack) {
            name.isEnded = event.isGone || taker(ofTheNameLeftBy: place) == nil
        } else if event.concerns(name.path) {
            name.untold.append(place)
            tell(&name)
            guard event.path == name.path else { return name }
            name.isBroughtBack = event.begins && event.operation?.kind.bringsBack == true
            name.isEnded = event.begins && !name.isBroughtBack
        }
        return name
    }

    private func isOfAnother(_ place: Int, before last: Int) -> Bool {
        rounds.areOne(place, last) || events[place].tookTheName(before: events[last])
    }

    /// By which event what has the name since came to it, where that was in the same operation, before this left it.
    private func taker(ofTheNameLeftBy place: Int) -> Int? {
        let event = events[place]
        var other = place
        while other > 0, events[other - 1].operation?.id == event.operation?.id {
            other -= 1
            if events[other].path == event.from, isOfAnother(other, before: place) { return other }
        }
        return nil
    }
}

extension DriveEvent {
    /// It is about the path, or something in it.
    fileprivate func concerns(_ other: DrivePath) -> Bool { path.isInside(other) || from?.isInside(other) == true }

    /// What is at the path came to it by this move, itself or with a folder.
    fileprivate func brings(_ other: DrivePath) -> Bool {
        isMove && (path == other || isFolderMove && other.isInside(path))
    }

    /// What was at the path left it by this.
    fileprivate func takes(_ other: DrivePath) -> Bool {
        if isGone { return path == other }
        guard isMove, let from else { return false }
        return from == other || isFolderMove && other.isInside(from)
    }

    /// Nothing was there before.
    fileprivate var begins: Bool { kind == .added || kind == .conflict && from == nil && before == nil }
}

extension DriveOperation.Kind {
    fileprivate var bringsBack: Bool { self == .restore || self == .undo || self == .deletes }
}
