// Whether a plan does what it is for. Where folders and what is in them have moved at once, the log does not always tell which
// folder had a path at that time: what would not come to where it was is not moved at all.
extension UndoPlan {
    /// Whether all that moved, and that these steps move, is then where it was before.
    func bringsBack(_ events: [DriveEvent], by steps: ArraySlice<Step>) -> Bool {
        // An act does one thing after the other, and the log tells it so.
        let folders = FolderMoves(events)
        if folders.isEmpty || events.first?.operation?.kind.isAnAct ?? false { return true }
        let operation = DriveOperation(id: 1, kind: .undo, time: 0)
        let moves = LaterMoves(
            steps.flatMap(\.deed.moves).reversed().map { move in
                DriveEvent(time: 0, kind: .moved, path: move.to, from: move.from, operation: operation)
            })
        return events.enumerated().allSatisfy { place, event in
            guard event.isMove, let from = event.from else { return true }
            let now = folders.later(event.path, since: place, event.operation?.id)
            guard let then = moves.place(of: now, after: 0) else { return true }
            return then == folders.earlier(from, before: place, event.operation?.id)
        }
    }
}
