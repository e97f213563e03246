/// How to bring back what an operation changed: each change is reversed only where things still are as it left them.
public struct UndoPlan: Sendable {
    /// In the order in which to do them.
    public private(set) var deeds: [Deed] = []
    public private(set) var obstacles: [Obstacle] = []

    /// What has a name now.
    public enum Standing: Hashable, Sendable {
        case nothing, folder
        case content(ContentHash)
        /// Something that is no file, folder or link, or that cannot be read.
        case other
    }

    /// A change that stays as it is.
    public struct Obstacle: Hashable, Sendable {
        public var path: DrivePath
        public var reason: Reason

        public enum Reason: String, Hashable, Sendable {
            case changedSince = "it has changed since"
            case placeTaken = "something else has its name now"
            case gone = "it is not there any more"
        }
    }

    /// What the deeds so far have done to names, as far as they are planned.
    private var planned: [DrivePath: Standing] = [:]
    private var moves: [(from: DrivePath, to: DrivePath)] = []

    /// `events` are those of the operation, the last first.
    public init(_ events: [DriveEvent], look: (DrivePath) throws -> Standing) rethrows {
        for event in events { try reverse(event, look) }
    }

    private func standing(_ path: DrivePath, _ look: (DrivePath) throws -> Standing) rethrows -> Standing {
        if let planned = planned[path] { return planned }
        var place = path
        // What is beneath a folder that is planned to move lies still where that folder is.
        for move in moves.reversed() {
            if place.isInside(move.to) {
                place = DrivePath(move.from.components + place.components.dropFirst(move.to.components.count))
            } else if place.isInside(move.from) {
                return .nothing
            }
        }
        return try look(place)
    }

    private mutating func reverse(_ event: DriveEvent, _ look: (DrivePath) throws -> Standing) rethrows {
        let now = try standing(event.path, look)
        if let from = event.from {
            try moveBack(event, now, to: from, look)
        } else if event.before == nil, event.after == nil {
            reverse(folder: event, now)
        } else if event.before == event.after {
            resetAttributes(event, now)
        } else {
            reverse(content: event, now)
        }
    }

    private mutating func moveBack(
        _ event: DriveEvent, _ now: Standing, to from: DrivePath, _ look: (DrivePath) throws -> Standing
    ) rethrows {
        guard now == (event.after.map { .content($0) } ?? .folder) else {
            return stop(event.path, now == .nothing ? .gone : .changedSince)
        }
        guard try standing(from, look) == .nothing else { return stop(from, .placeTaken) }
        deeds.append(.move(event.path, to: from))
        planned[event.path] = .nothing
        planned[from] = now
        if now == .folder {
            planned = planned.filter { $0.key == from || !$0.key.isInside(event.path) || $0.key == event.path }
            moves.append((event.path, from))
        }
        if let before = event.before, let after = event.after, before != after {
            put(before, at: from, replacing: after)
        }
    }

    private mutating func reverse(folder event: DriveEvent, _ now: Standing) {
        if event.attributes != nil { return resetAttributes(event, now) }
        if event.kind == .deleted {
            if now == .folder { return }
            guard now == .nothing else { return stop(event.path, .placeTaken) }
            deeds.append(.makeFolder(event.path))
            planned[event.path] = .folder
        } else if now == .folder {
            deeds.append(.removeFolder(event.path))
            planned[event.path] = .nothing
        }
    }

    private mutating func resetAttributes(_ event: DriveEvent, _ now: Standing) {
        guard let attributes = event.attributes else { return }
        guard now == (event.after.map { .content($0) } ?? .folder) else {
            return stop(event.path, now == .nothing ? .gone : .changedSince)
        }
        deeds.append(.setAttributes(attributes, of: event.path))
    }

    private mutating func reverse(content event: DriveEvent, _ now: Standing) {
        // It is as it was before already.
        if now == (event.before.map { .content($0) } ?? .nothing) { return }
        guard now == (event.after.map { .content($0) } ?? .nothing) else {
            return stop(event.path, event.after == nil ? .placeTaken : now == .nothing ? .gone : .changedSince)
        }
        if let before = event.before {
            put(before, at: event.path, replacing: event.after)
        } else if let after = event.after {
            deeds.append(.takeAway(event.path, after))
            planned[event.path] = .nothing
        }
    }

    private mutating func put(_ hash: ContentHash, at path: DrivePath, replacing old: ContentHash?) {
        deeds.append(.putBack(hash, at: path, replacing: old))
        planned[path] = .content(hash)
        // With the folders that it lies in.
        var folder = path.parent
        while planned[folder] == .nothing {
            planned[folder] = .folder
            folder = folder.parent
        }
    }

    private mutating func stop(_ path: DrivePath, _ reason: Obstacle.Reason) {
        obstacles.append(Obstacle(path: path, reason: reason))
    }
}
