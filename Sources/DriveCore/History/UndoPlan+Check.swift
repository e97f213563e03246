// Whether a plan does what it is for. Where folders and what is in them have moved at once, the log does not always tell which
// folder had a path at that time: what would not come to where it was is not moved at all.
extension UndoPlan {
    /// Whether `bringsBack` may be false of what reverses them: where folders moved, and not one thing after the other, as an act does it
    /// and the log tells it.
    static func mayMislead(_ events: [DriveEvent]) -> Bool {
        !(events.first?.operation?.kind.isAnAct ?? false) && !FolderMoves(events).isEmpty
    }

    /// As `reverse`, with the events of one operation in another order. Nil where that leaves anything as it is, or says nothing for certain.
    func reversing(_ events: [DriveEvent], inAnotherOrder ground: some UndoGround) throws -> UndoPlan? {
        guard let order = WaitingOrder(events), try order.isCertain({ try standing($0, ground) }) else { return nil }
        var plan = self
        try plan.reverse(order.events, ground)
        guard plan.obstacles.count == obstacles.count else { return nil }
        let isRight = try plan.bringsBack(order.events, by: plan.steps[steps.count...], after: self, ground)
        return isRight ? plan : nil
    }

    /// Whether all that moved, and that these steps move, is then where it was before. `known` is the plan before them.
    func bringsBack(
        _ events: [DriveEvent], by steps: ArraySlice<Step>, after known: UndoPlan, _ ground: some UndoGround
    ) throws -> Bool {
        let folders = FolderMoves(events)
        let operation = DriveOperation(id: 1, kind: .undo, time: 0)
        let moves = LaterMoves(
            steps.flatMap(\.deed.moves).reversed().map { move in
                DriveEvent(time: 0, kind: .moved, path: move.to, from: move.from, operation: operation)
            })
        return try events.enumerated().allSatisfy { place, event in
            guard event.isMove, let from = event.from else { return true }
            let now = folders.later(event.path, since: place, event.operation?.id)
            var left = event
            left.path = now
            // What was moved since is told by itself; or an undo that was cut off has brought it back.
            if try ground.place(since: left) != nil, try !known.isAsLeft(left, ground) { return true }
            guard let then = moves.place(of: now, after: 0) else { return true }
            return then == folders.earlier(from, before: place, event.operation?.id)
        }
    }
}
