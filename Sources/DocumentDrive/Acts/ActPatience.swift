/// How long an act waits; nil waits until its task is cancelled.
package struct ActPatience: Sendable {
    /// For whoever uses one of its items.
    package var users: Duration?
    /// For the drive, while that does something else.
    package var drive: Duration?

    package init(users: Duration?, drive: Duration?) {
        self.users = users
        self.drive = drive
    }

    /// For both; they do not add up.
    package init(_ both: Duration?) { self.init(users: both, drive: both) }
}

/// When the patience of an act that begins now is over.
struct ActDeadlines: Sendable {
    let users: ContinuousClock.Instant?
    let drive: ContinuousClock.Instant?

    init(_ patience: ActPatience) {
        users = patience.users.map(ContinuousClock.Instant.end(of:))
        drive = patience.drive.map(ContinuousClock.Instant.end(of:))
    }
}
