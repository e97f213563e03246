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
    }

    private let parts: DriveParts
    private let direction: Direction

    init(_ parts: DriveParts, _ direction: Direction) {
        self.parts = parts
        self.direction = direction
    }

    /// Whether `count` deletes, none of which was judged before, are too many of `total` items while `waiting` others
    /// are held. The answer is remembered: ask once.
    func holds(_ count: Int, of total: Int, waiting: Int) throws -> Bool {
        guard count > 0 else { return false }
        let brake = parts.options.brake
        let now = parts.clock.milliseconds()
        let gone = try history(passedKey)
        let held = min(waiting, brake.recent(in: try history(heldKey), now: now))
        let holds = brake.holds(count, of: total, besides: held, after: gone, now: now)
        let key = holds ? heldKey : passedKey
        let noted = brake.noting(count, in: try history(key), now: now)
        try parts.state.transaction { try parts.state.setSetting(noted.encoded, key) }
        return holds
    }

    private var passedKey: String { direction.rawValue }
    private var heldKey: String { direction.rawValue + "-held" }

    private func history(_ key: String) throws -> Brake.History { try parts.state.brakeHistory(key) }
}

extension DriveState {
    fileprivate func brakeHistory(_ key: String) throws -> Brake.History {
        Brake.History(encoded: try setting(key) ?? [])
    }

    /// How many deletes, made here or elsewhere, went through within the last hour because there were few until then.
    public func passedDeletes(now: UInt64) throws -> Int {
        try DeleteBrake.Direction.allCases.reduce(0) {
            $0 + Brake().recent(in: try brakeHistory($1.rawValue), now: now)
        }
    }
}
