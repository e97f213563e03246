public import DriveCore

/// The brake over deletes that go one way, and what it remembers of the last hour.
///
/// A delete that is held stays held until somebody decides or the item comes back: neither time nor what arrives
/// afterwards makes it harmless. Those that follow within an hour count on top of it, so that a large delete that is
/// seen in pieces does not get through piece by piece.
struct DeleteBrake {
    enum Direction: String, CaseIterable {
        case outgoing = "brake"
        case incoming = "brake-in"

        /// Of those that went through and do not count.
        var shortKey: String { rawValue + "-short" }
    }

    private let parts: DriveParts
    private let direction: Direction

    init(_ parts: DriveParts, _ direction: Direction) {
        self.parts = parts
        self.direction = direction
    }

    /// Whether these deletes, none of which was judged before, are too many of `total` items while `waiting` others
    /// are held. The answer is remembered: ask once.
    func holds(_ rows: Set<RowID>, of total: Int, waiting: Int) throws -> Bool {
        let count = rows.count
        guard count > 0 else { return false }
        let brake = parts.options.brake
        let clock = parts.clock.milliseconds()
        return try parts.state.transaction {
            _ = try parts.state.lookAtClock(clock)
            let now = try parts.state.seenTime(at: clock).passed
            let gone = try history(passedKey)
            let held = min(waiting, brake.recent(in: try history(heldKey), now: now))
            let holds = brake.holds(count, of: total, besides: held, after: gone, now: now)
            // What programs make and remove all the time adds up to nothing.
            let shortLived = holds ? 0 : try rows.count { try isShortLived($0, now: clock) }
            try note(count - shortLived, holds ? heldKey : passedKey, now: now)
            if shortLived > 0 { try note(shortLived, direction.shortKey, now: now) }
            return holds
        }
    }

    /// It came to be within the hour, as the disk says and as its records do: an old file that was saved anew or brought has a
    /// place that is older, one that was moved a file. Dates to come are no sign of it: the clock was ahead then, or is behind now. `now`
    /// is the clock's, as the dates are.
    private func isShortLived(_ id: RowID, now: UInt64) throws -> Bool {
        let window = parts.options.brake.window
        let hour = now - min(now, window)...now + window
        guard let row = try parts.state.row(id), let birth = row.facts.identity.birth,
            hour.contains(birth.millisecondsSince1970)
        else { return false }
        return try row.members.allSatisfy { member in
            guard let item = try parts.state.item(member.item)?.state else { return true }
            return hour.contains(min(item.name.tag.time, item.placement.tag.time).milliseconds)
        }
    }

    private func note(_ count: Int, _ key: String, now: UInt64) throws {
        let noted = parts.options.brake.noting(count, in: try history(key), now: now)
        try parts.state.setSetting(noted.encoded, key)
    }

    /// Somebody has decided about all that was held: what comes next is counted anew.
    func forget() throws {
        try parts.state.transaction {
            for key in [passedKey, heldKey, direction.shortKey] { try parts.state.setSetting(nil, key) }
        }
    }

    private var passedKey: String { direction.rawValue }
    private var heldKey: String { direction.rawValue + "-held" }

    private func history(_ key: String) throws -> Brake.History { try parts.state.brakeHistory(key) }
}

extension DriveState {
    fileprivate func brakeHistory(_ key: String) throws -> Brake.History {
        Brake.History(encoded: try setting(key) ?? [])
    }

    /// How many deletes, made here or elsewhere, went through within the last hour because there were few until then. `clock`: what
    /// that says now.
    public func passedDeletes(clock: UInt64) throws -> Int {
        let now = try seenTime(at: clock).passed
        return try DeleteBrake.Direction.allCases.flatMap { [$0.rawValue, $0.shortKey] }.reduce(0) {
            $0 + Brake().recent(in: try brakeHistory($1), now: now)
        }
    }
}
