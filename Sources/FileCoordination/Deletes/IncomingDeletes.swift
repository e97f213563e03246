public import DriveCore

/// Which of the files that the view does not want any more are deletes, and which of these the brake holds.
public struct IncomingDeletes {
    private let parts: DriveParts

    public init(_ parts: DriveParts) { self.parts = parts }

    /// Of these the deletes that are held: too many at once for `total` items, or held before and not decided about yet.
    /// The answer is remembered in the state: ask once a turn.
    public func held(among files: [Row], of total: Int) throws -> Set<RowID> {
        let deletes = HeldDeletes(parts.state)
        let going = Set(try files.filter { try !isStillShown($0) && !isEndedConflict($0) }.map(\.id))
        // What somebody has let through stays so until it is gone, or not to go any more.
        let all = try deletes.confirmed()
        let confirmed = all.intersection(going)
        let doubtful = going.subtracting(confirmed)
        let waiting = try deletes.incoming().intersection(doubtful)
        try deletes.settle(try all.subtracting(going).filter(isOver))
        let brake = DeleteBrake(parts, .incoming)
        let isTooMuch = try brake.holds(doubtful.subtracting(waiting), of: total, waiting: waiting.count)
        let held = isTooMuch ? doubtful : waiting
        try deletes.setIncoming(held)
        return held
    }

    /// Somebody has confirmed deletes, made here or by others: where nothing else of the kind is held, those that come next are
    /// counted anew.
    public func confirmed(own: Bool, others: Bool) throws {
        let deletes = HeldDeletes(parts.state)
        if own, try parts.state.heldRowCount() == 0 { try DeleteBrake(parts, .outgoing).forget() }
        if others, try deletes.incoming().subtracting(deletes.confirmed()).isEmpty {
            try DeleteBrake(parts, .incoming).forget()
        }
    }

    /// What was let through and is gone now is decided no more.
    func settle() throws {
        let confirmed = try HeldDeletes(parts.state).confirmed()
        guard !confirmed.isEmpty else { return }
        try HeldDeletes(parts.state).settle(try confirmed.filter { try parts.state.row($0) == nil })
    }

    /// What was let through, and stays after all: somebody wanted it again. Of a delete made here the file is not here.
    private func isOver(_ id: RowID) throws -> Bool {
        guard let row = try parts.state.row(id) else { return true }
        var locator = FolderLocator(parts)
        do { return try locator.verified(row) != nil } catch let error as DriveError where error.remedy == .skip {
            return false
        }
    }

    /// Its content lives on under the same item, as where equal files met at one name: nothing is lost with this one.
    func isStillShown(_ row: Row) throws -> Bool {
        guard let hash = row.hash else { return false }
        return try row.members.contains { member in
            try ViewReader(parts.state).entries(showing: member.item).contains { $0.content?.hash == hash }
        }
    }

    /// A conflict copy whose file lives on: somebody has resolved it, perhaps with a thousand others, and no item is deleted.
    private func isEndedConflict(_ row: Row) throws -> Bool {
        guard row.isDerived else { return false }
        return try row.members.allSatisfy { try parts.state.item($0.item)?.shape.isAlive ?? false }
    }
}
