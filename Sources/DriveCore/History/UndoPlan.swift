/// What a plan to undo has to know of the folder as it is now.
public protocol UndoGround {
    func standing(_ path: DrivePath) throws -> UndoPlan.Standing
    /// What is in a folder; of one that is not there nothing.
    func names(in folder: DrivePath) throws -> [FileName]
    /// Where that is now which an event left at its path; nil where nothing is known of a move.
    func place(since event: DriveEvent) throws -> DrivePath?
    /// What is at a path has these; nil where nobody knows.
    func attributes(of path: DrivePath) throws -> Attributes?
    /// What an event left there; nil where nothing is known that came after it.
    func attributes(leftBy event: DriveEvent) throws -> Attributes?
    /// Whether this content may be somewhere: a drive without a store has only what lies in it and in its trash.
    func mayHave(_ content: ContentHash) throws -> Bool
}

/// How to bring back what operations changed: each change is reversed only where things still are as it left them.
public struct UndoPlan: Sendable {
    /// In the order in which to do them.
    public private(set) var steps: [Step] = []
    public private(set) var obstacles: [Obstacle] = []
    /// Those of which something is reversed, or stays.
    public private(set) var operations: Set<UInt64> = []

    public var deeds: [Deed] { steps.map(\.deed) }
    /// Everything is as it was before.
    public var isEmpty: Bool { steps.isEmpty && obstacles.isEmpty }

    /// What reverses a change.
    public struct Step: Hashable, Sendable {
        public var deed: Deed
        /// The operation that the change belongs to.
        public var operation: UInt64?
        /// Where the file was that comes back under another name.
        public var source: DrivePath?
        /// What a content that is put back had; nil where nobody has noted it.
        public var attributes: Attributes?

        public init(
            deed: Deed, operation: UInt64? = nil, source: DrivePath? = nil, attributes: Attributes? = nil
        ) {
            self.deed = deed
            self.operation = operation
            self.source = source
            self.attributes = attributes
        }
    }

    /// What has a name now.
    public enum Standing: Hashable, Sendable {
        case nothing, folder
        case content(ContentHash)
        /// Something that is no file, folder or link.
        case other
        /// Whatever there is may not be looked at, or not be read.
        case unseen
    }

    /// A change that stays as it is.
    public struct Obstacle: Hashable, Sendable {
        public var path: DrivePath
        public var reason: Reason
        /// Where it is now, if it was moved.
        public var place: DrivePath?

        public init(path: DrivePath, reason: Reason, place: DrivePath? = nil) {
            (self.path, self.reason, self.place) = (path, reason, place)
        }

        public enum Reason: String, Hashable, Sendable {
            case changedSince = "it has changed since"
            case unseen = "it cannot be looked at here"
            case placeTaken = "something else has its name now"
            case gone = "it is not there any more"
            case movedSince = "it was renamed or moved since"
            case notKept = "what it was before is not kept anywhere"
            case notEmpty = "something else is in it now"
            case placeUnknown = "where it was before is not known any more"
            case onlyKept = "keeping it changed no content, so that nothing can come back"
        }
    }

    /// What the deeds so far have done to names, as far as they are planned.
    var planned = PlannedNames()
    /// The attributes that the deeds so far give.
    private var attributed: [DrivePath: Attributes] = [:]
    var moves = PlannedMoves()
    /// Of the event that is looked at.
    private var operation: UInt64?
    /// Those that the operation has made.
    var newFolders: Set<DrivePath> = []
    private var told: Set<Obstacle> = []
    /// Where folders that moved were, which may come back yet.
    var awaited: Set<DrivePath> = []
    /// What is in the way may go yet.
    var isTrying = false
    var isBlocked = false

    /// `events` are those of the operations, the last first.
    public init(_ events: [DriveEvent], _ ground: some UndoGround) throws {
        var left = events[...]
        while let first = left.first {
            operation = first.operation?.id
            let together = Array(left.prefix { $0.operation?.id == operation })
            left = left.dropFirst(together.count)
            // A copy makes all that is planned so far be copied, so of thousands of operations only few may keep one.
            let known = Self.mayMislead(together) ? self : nil
            try reverse(together, ground)
            guard let known else { continue }
            let isRight = try bringsBack(together, by: steps[known.steps.count...], after: known, ground)
            if isRight, obstacles.count == known.obstacles.count { continue }
            if let whole = try known.reversing(together, inAnotherOrder: ground) {
                self = whole
            } else if !isRight {
                self = known
                try reverse(together.filter { !$0.isMove }, ground)
                for event in together where event.isMove { try stopIfThere(event, ground) }
            }
        }
    }

    mutating func reverse(_ event: DriveEvent, _ ground: some UndoGround) throws {
        let now = try standing(event.path, ground)
        if event.kind == .resolved {
            stop(event.path, .onlyKept)
        } else if now == .unseen {
            stop(event.path, .unseen)
        } else if event.kind == .moved, event.from == nil {
            try stopIfThere(event, ground)
        } else if let from = event.from {
            try moveBack(event, now, to: from, ground)
        } else if event.before == nil, event.after == nil {
            try reverse(folder: event, now, ground)
        } else if event.before == event.after {
            try resetAttributes(event, now, ground)
        } else {
            try reverse(content: event, now, ground)
        }
    }

    /// Of what moved from nobody knows where.
    mutating func stopIfThere(_ event: DriveEvent, _ ground: some UndoGround) throws {
        if try isAsLeft(event, ground) { stop(event.path, .placeUnknown) }
    }

    private mutating func reverse(folder event: DriveEvent, _ now: Standing, _ ground: some UndoGround) throws {
        if event.kind == .attributes { return try resetAttributes(event, now, ground) }
        if event.kind == .deleted {
            if now == .folder { return }
            guard now == .nothing else { return stop(event.path, .placeTaken) }
            add(.makeFolder(event.path))
            planned[event.path] = .folder
        } else if now == .folder {
            guard try isEmpty(event.path, ground) else { return stop(event.path, .notEmpty) }
            add(.removeFolder(event.path))
            planned[event.path] = .nothing
        } else if now == .nothing {
            try stopIfMoved(event, ground)
        }
    }

    /// Of what else was changed since, also by others, nothing is taken back.
    private mutating func resetAttributes(_ event: DriveEvent, _ now: Standing, _ ground: some UndoGround) throws {
        guard let before = event.attributes else { return }
        guard now == (event.after.map { .content($0) } ?? .folder) else {
            return stop(event.path, now == .nothing ? .gone : .changedSince)
        }
        var wanted = before
        if let left = try ground.attributes(leftBy: event), let current = try attributes(event.path, ground) {
            wanted = current
            if !wanted.takeBack(from: left, to: before) { stop(event.path, .changedSince) }
            if wanted == current { return }
        }
        add(.setAttributes(wanted, of: event.path))
        attributed[event.path] = wanted
    }

    /// Nil where nobody knows, as of what only comes to the path with an earlier deed: what is there now is something else.
    private func attributes(_ path: DrivePath, _ ground: some UndoGround) throws -> Attributes? {
        if let given = attributed[path] { return given }
        guard planned[path] == nil, let place = moves.place(of: path) else { return nil }
        return try ground.attributes(of: place)
    }

    private mutating func reverse(content event: DriveEvent, _ now: Standing, _ ground: some UndoGround) throws {
        if now == (event.before.map { .content($0) } ?? .nothing) {
            // It is as it was before already, unless it only has another name.
            if now == .nothing { try stopIfMoved(event, ground) }
            return
        }
        guard now == (event.after.map { .content($0) } ?? .nothing) else {
            return event.after == nil ? stop(event.path, .placeTaken) : try stop(event, now, ground)
        }
        if let before = event.before {
            guard try ground.mayHave(before) else { return stop(event.path, .notKept) }
            if try comesBack(event.path.parent, ground) { return stop(event.path, .placeTaken) }
            put(before, event.attributes, at: event.path, replacing: event.after)
        } else if let after = event.after {
            add(.takeAway(event.path, after))
            planned[event.path] = .nothing
        }
    }
}

// What has a name once the deeds so far are done.
extension UndoPlan {
    func standing(_ path: DrivePath, _ ground: some UndoGround) throws -> Standing {
        if let planned = planned[path] { return planned }
        return try moves.place(of: path).map { try ground.standing($0) } ?? .nothing
    }

    /// Whether a folder is still elsewhere which another change of the operation had moved: one that is made anew would be in
    /// its way.
    func comesBack(_ folder: DrivePath, _ ground: some UndoGround) throws -> Bool {
        guard isTrying, !awaited.isEmpty else { return false }
        var folder = folder
        while try !folder.isRoot && standing(folder, ground) == .nothing {
            if awaited.contains(folder) { return true }
            folder = folder.parent
        }
        return false
    }

    func isEmpty(_ folder: DrivePath, _ ground: some UndoGround) throws -> Bool {
        if planned.isSomething(in: folder) { return false }
        guard let place = moves.place(of: folder) else { return true }
        return try ground.names(in: place).allSatisfy { try standing(folder.appending($0), ground) == .nothing }
    }

    mutating func add(_ deed: Deed, _ attributes: Attributes? = nil) {
        steps.append(Step(deed: deed, operation: operation, attributes: attributes))
        if let operation { operations.insert(operation) }
    }

    mutating func put(
        _ hash: ContentHash, _ attributes: Attributes?, at path: DrivePath, replacing old: ContentHash?
    ) {
        add(.putBack(hash, at: path, replacing: old), attributes)
        attributed[path] = attributes
        planned[path] = .content(hash)
        // With the folders that it lies in.
        var folder = path.parent
        while planned[folder] == .nothing {
            planned[folder] = .folder
            folder = folder.parent
        }
    }

    /// Once, of whatever changed several times.
    mutating func stop(_ path: DrivePath, _ reason: Obstacle.Reason, _ place: DrivePath? = nil) {
        if isTrying, reason.mayPass {
            isBlocked = true
            return
        }
        let obstacle = Obstacle(path: path, reason: reason, place: place)
        if told.insert(obstacle).inserted { obstacles.append(obstacle) }
        if let operation { operations.insert(operation) }
    }

    mutating func stop(_ event: DriveEvent, _ now: Standing, _ ground: some UndoGround) throws {
        guard now == .nothing else { return stop(event.path, .changedSince) }
        if try isBack(event, ground) { return }
        if try !stopIfMoved(event, ground) { stop(event.path, .gone) }
    }

    /// What was edited has another name, and is as it was before there; what was moved has the name of before again, and was
    /// edited.
    private func isBack(_ event: DriveEvent, _ ground: some UndoGround) throws -> Bool {
        guard let place = try ground.place(since: event) else { return false }
        if let from = event.from { return try place == from && standing(from, ground) != .nothing }
        guard let before = event.before else { return false }
        return try standing(place, ground) == .content(before)
    }

    @discardableResult
    private mutating func stopIfMoved(_ event: DriveEvent, _ ground: some UndoGround) throws -> Bool {
        guard let place = try ground.place(since: event), try standing(place, ground) != .nothing else { return false }
        stop(event.path, .movedSince, place)
        return true
    }
}

extension UndoPlan.Obstacle.Reason {
    /// Whether reversing something else may end it.
    fileprivate var mayPass: Bool {
        switch self {
        case .changedSince, .unseen, .placeTaken, .gone, .movedSince, .notEmpty: true
        case .notKept, .onlyKept, .placeUnknown: false
        }
    }
}
