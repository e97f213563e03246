/// Where things have gone since, by what the log tells of moves.
public struct LaterMoves: Sendable {
    /// By the path that was left, as they happened.
    private var moves: [DrivePath: [Move]] = [:]

    private struct Move {
        var place: Int
        var operation: UInt64
        var to: DrivePath
    }

    /// Of all events of the log, the newest first.
    public init(_ events: [DriveEvent]) {
        for (place, event) in events.reversed().enumerated() {
            guard let from = event.from, let operation = event.operation?.id else { continue }
            moves[from, default: []].append(Move(place: place, operation: operation, to: event.path))
        }
    }

    /// Where that is now which had this path after an operation; nil where it was not moved, nor a folder that it is in.
    public func place(of path: DrivePath, after operation: UInt64) -> DrivePath? {
        var (current, place) = (path, -1)
        while let (from, move) = next(current, place, operation) {
            (current, place) = (current.moved(from: from, to: move.to), move.place)
        }
        return place < 0 ? nil : current
    }

    private func next(_ path: DrivePath, _ place: Int, _ operation: UInt64) -> (from: DrivePath, move: Move)? {
        var found: (from: DrivePath, move: Move)?
        var left = path
        while !left.components.isEmpty {
            let move = moves[left]?.first { $0.place > place && $0.operation > operation }
            if let move, move.place < found?.move.place ?? .max { found = (left, move) }
            left = left.parent
        }
        return found
    }
}
