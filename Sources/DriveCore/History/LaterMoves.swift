/// Where things have gone since, by what the log tells of moves.
public struct LaterMoves: Sendable {
    /// By the path that was left, as they happened.
    private var moves: [DrivePath: [Move]] = [:]
    private let rounds: ExchangeRounds
    /// What changed attributes, or what had them, by path; as it happened.
    private var attributed: [DrivePath: [DriveEvent]] = [:]

    private struct Move {
        var place: Int
        var operation: UInt64
        var event: DriveEvent
    }

    /// Of all events of the log, the newest first.
    public init(_ events: [DriveEvent]) {
        let events = Array(events.reversed())
        rounds = ExchangeRounds(events)
        for (place, event) in events.enumerated() {
            if event.attributes != nil { attributed[event.path, default: []].append(event) }
            guard let from = event.from, let operation = event.operation?.id else { continue }
            moves[from, default: []].append(Move(place: place, operation: operation, event: event))
        }
    }

    /// Where that is now which had this path after an operation; nil where it was not moved, nor a folder that it is in.
    public func place(of path: DrivePath, after operation: UInt64) -> DrivePath? {
        var current = path
        var last: Move?
        while let (from, move) = next(current, last, operation) {
            current = current.moved(from: from, to: move.event.path)
            last = move
        }
        return last == nil ? nil : current
    }

    /// What the attributes were after an event: what the next one of that path found. Nil where none came.
    public func attributes(leftBy event: DriveEvent) -> Attributes? {
        guard let all = attributed[event.path], let place = all.lastIndex(of: event), place + 1 < all.count else {
            return nil
        }
        return all[place + 1].attributes
    }

    private func next(_ path: DrivePath, _ last: Move?, _ operation: UInt64) -> (from: DrivePath, move: Move)? {
        var found: (from: DrivePath, move: Move)?
        var left = path
        while !left.components.isEmpty {
            let move = moves[left]?.first { move in
                move.place > last?.place ?? -1 && move.operation > operation
                    && !(last.map { tookTheName($0, before: move) } ?? false)
            }
            if let move, move.place < found?.move.place ?? .max { found = (left, move) }
            left = left.parent
        }
        return found
    }

    private func tookTheName(_ last: Move, before move: Move) -> Bool {
        rounds.areOne(last.place, move.place) || last.event.tookTheName(before: move.event)
    }
}

extension DriveEvent {
    /// Whether a later move of the same operation is one of another item, which had the name that this one got: so it is in a row
    /// of renames, and where items change places. The log does not name items; contents tell files apart, and of folders only an
    /// act moves one twice.
    public func tookTheName(before other: DriveEvent) -> Bool {
        guard other.from == path, let operation, operation.id == other.operation?.id else { return false }
        return after == nil && other.before == nil ? !operation.kind.isAnAct : after != other.before
    }
}
