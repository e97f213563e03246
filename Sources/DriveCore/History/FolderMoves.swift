/// The folders that operations moved, and what that does to paths which the log tells: each of them is right at the time of its
/// event, not before or after the moves around it.
public struct FolderMoves {
    /// The last first.
    private var moves: [Move] = []
    private var leaving = MovesByPath()
    private var arriving = MovesByPath()
    private let rounds: ExchangeRounds

    private struct Move {
        /// Counted from the last.
        var place: Int
        /// Counted from the first.
        var number: Int
        var event: DriveEvent
        var from: DrivePath
        var to: DrivePath { event.path }
    }

    /// Of events with the last first.
    public init(_ events: [DriveEvent]) {
        rounds = ExchangeRounds(events.reversed())
        for (place, event) in events.enumerated() {
            guard event.isFolderMove, let from = event.from else { continue }
            leaving.add(moves.count, at: from)
            arriving.add(moves.count, at: event.path)
            moves.append(Move(place: place, number: events.count - 1 - place, event: event, from: from))
        }
    }

    var isEmpty: Bool { moves.isEmpty }

    /// Whether the later one is of another folder, which had the name that this one got.
    private func tookTheName(_ move: Move, before later: Move) -> Bool {
        rounds.areOne(move.number, later.number) || move.event.tookTheName(before: later.event)
    }

    /// Where that is which an event of an operation tells of right before a later one; without one, once the operation has
    /// ended. `isBack` tells of those moves that do not count.
    public func later(
        _ path: DrivePath, since place: Int, _ operation: UInt64?, until end: Int = -1,
        isBack: (Int) -> Bool = { _ in false }
    ) -> DrivePath {
        var path = path
        var last: Move?
        var next = moves.partition { $0.place >= place }
        while !path.isRoot, let number = leaving.last(below: next, around: path.parent), moves[number].place > end {
            next = number
            let move = moves[number]
            guard move.event.operation?.id == operation, !isBack(move.place),
                last.map({ tookTheName($0, before: move) }) != true
            else { continue }
            path = path.moved(from: move.from, to: move.to)
            last = move
        }
        return path
    }

    /// Where that was when the operation began which one of its events tells of.
    public func earlier(_ path: DrivePath, before place: Int, _ operation: UInt64?) -> DrivePath {
        var path = path
        var next: Move?
        var start = moves.partition { $0.place > place }
        while !path.isRoot, let number = arriving.first(from: start, around: path.parent) {
            start = number + 1
            let move = moves[number]
            guard move.event.operation?.id == operation, next.map({ tookTheName(move, before: $0) }) != true else {
                continue
            }
            path = path.moved(from: move.to, to: move.from)
            next = move
        }
        return path
    }
}

extension DriveEvent {
    /// That both sides of a conflict were kept moves nothing.
    var isMove: Bool { from != nil && kind != .resolved }

    /// What has a content holds nothing else.
    var isFolderMove: Bool { isMove && before == nil && after == nil }
}
