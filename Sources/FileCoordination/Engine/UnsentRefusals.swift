import DriveCore

/// What the store has refused lately, and when that is tried again; for the engine's one thread.
final class UnsentRefusals {
    /// What is kept here until it can be sent, or a file as it was read.
    enum Subject: Hashable {
        case object(ObjectKey)
        case file(FileFacts)
    }

    private var known: [Subject: (error: DriveError, pause: GrowingPause)] = [:]
    private var hasDropped = false
    private var untold = UnsentRefusals.betweenUntold
    private static let betweenUntold = GrowingPause(first: 600_000, longest: 600_000)

    /// Nil where it is time for another try.
    func pending(_ subject: Subject, now: UInt64) -> DriveError? {
        known[subject].flatMap { $0.pause.isOn(now: now) ? $0.error : nil }
    }

    func note(_ subject: Subject, _ error: DriveError, now: UInt64) {
        if pending(subject, now: now) != nil { return }
        var pause = known[subject]?.pause ?? GrowingPause()
        pause.fail(now: now)
        known[subject] = (error, pause)
    }

    /// Whether it is to be found out what nothing needs any more, which may mean to read lists on the store; once each time.
    var isDropDue: Bool {
        defer { hasDropped = true }
        return !hasDropped
    }

    /// Whether to look for what deletes were told without, which is a look at all items: each ten minutes, since there may be room.
    func isUntoldDue(now: UInt64) -> Bool {
        if untold.isOn(now: now) { return false }
        untold.fail(now: now)
        return true
    }

    /// Somebody asks for it now.
    func tryAgain() { (known, hasDropped, untold) = ([:], false, Self.betweenUntold) }
}
