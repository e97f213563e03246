import DriveCore

/// What the last act did to names: where a scan finds what the act changed before, or after, it moved it.
struct ActTrace {
    private let operation: UInt64
    private let state: any DriveState
    private var told: [DrivePath: [Told]] = [:]
    private var moves: [Move] = []

    /// `place` counts what the act did.
    private struct Told {
        var place: Int
        var event: DriveEvent
    }

    private struct Move {
        var place: Int
        /// Where what was moved at once with it begins.
        var round: Int
        var from: DrivePath
        var to: DrivePath
    }

    /// Nil where the last thing in the log was no act that a look is still to find, or it did one thing at each path and moved
    /// nothing: the newest event tells of it then. A scan that tells things in several parts has found it with the first.
    init?(_ state: any DriveState, _ operations: OperationLog, since unseen: UInt64) throws {
        let newest = try state.events(limit: 1).first?.operation
        if let newest, newest.kind.isAnAct { operations.lastAct = newest.id }
        guard let act = operations.lastAct, act >= unseen else { return nil }
        operation = act
        self.state = state
        let events = Array(try state.events(of: act).reversed())
        let rounds = ExchangeRounds(events)
        for (place, event) in events.enumerated() {
            told[event.path, default: []].append(Told(place: place, event: event))
            if let from = event.from {
                moves.append(Move(place: place, round: rounds.first(of: place), from: from, to: event.path))
            }
        }
        if moves.isEmpty, !told.values.contains(where: { $0.count > 1 }) { return nil }
    }

    /// Whether the act has done what a scan found; `newest` is the last event at its path.
    func tells(of event: DriveEvent, newest: DriveEvent?) throws -> Bool {
        if let known = newest?.operation?.id, known > operation { return false }
        return try event.isGone ? hasRemoved(event) : hasMade(event)
    }

    /// Whether the act has moved away what another one, before it, had put at a path.
    func hasLeft(_ path: DrivePath, since newest: DriveEvent) -> Bool {
        guard let before = newest.operation?.id, before < operation else { return false }
        return moves.contains { path.isInside($0.from) }
    }

    /// The scan knows it by the path that it had before.
    private func hasRemoved(_ event: DriveEvent) throws -> Bool {
        var (path, since) = (event.path, 0)
        var round: Int?
        for move in moves where path.isInside(move.from) && move.round != round {
            if isGone(path, since..<move.place) { return true }
            (path, since, round) = (path.moved(from: move.from, to: move.to), move.place, move.round)
        }
        if isGone(path, since..<Int.max) { return true }
        // Of a folder that went after others had moved, the scan may know the path of then.
        var former = event.path
        round = nil
        for move in moves.reversed() where former.isInside(move.to) && move.round != round {
            round = move.round
            former = former.moved(from: move.to, to: move.from)
            if isGone(former, 0..<move.place) { return true }
        }
        // Where it was moved to it took the place of something, and stands for that now.
        guard path != event.path, let hash = event.before else { return false }
        return try state.row(at: path)?.hash == hash
    }

    private func isGone(_ path: DrivePath, _ places: Range<Int>) -> Bool {
        told[path]?.contains { places.contains($0.place) && $0.event.isGone } ?? false
    }

    /// The scan knows it by the path that it has now.
    private func hasMade(_ event: DriveEvent) -> Bool {
        var (path, until) = (event.path, Int.max)
        for move in moves.reversed() where path.isInside(move.to) && move.place < until {
            if let last = last(at: path, move.place..<until) { return last.leaves(event) }
            (path, until) = (path.moved(from: move.to, to: move.from), move.round)
        }
        return until < Int.max && last(at: path, 0..<until)?.leaves(event) ?? false
    }

    private func last(at path: DrivePath, _ places: Range<Int>) -> DriveEvent? {
        told[path]?.last { places.contains($0.place) }?.event
    }
}

extension DriveEvent {
    /// What another event found is there after this one.
    func leaves(_ other: DriveEvent) -> Bool { after == other.after && isGone == other.isGone }
}
