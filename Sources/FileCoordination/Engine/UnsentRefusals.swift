import DriveCore

/// What the store has refused lately, and when that is tried again; for the engine's one thread.
final class UnsentRefusals {
    /// What is kept here until it can be sent, or a file as it was read.
    enum Subject: Hashable {
        case object(ObjectKey)
        case file(FileFacts)
    }

    private var known: [Subject: (error: DriveError, next: UInt64, pause: UInt64)] = [:]
    private var hasDropped = false
    private static let first: UInt64 = 60_000
    private static let longest: UInt64 = 3_600_000

    /// Nil where it is time for another try.
    func pending(_ subject: Subject, now: UInt64) -> DriveError? {
        guard let refusal = known[subject], now < refusal.next, refusal.next - now <= refusal.pause else { return nil }
        return refusal.error
    }

    func note(_ subject: Subject, _ error: DriveError, now: UInt64) {
        if pending(subject, now: now) != nil { return }
        let pause = min(Self.longest, known[subject].map { $0.pause * 2 } ?? Self.first)
        known[subject] = (error, now + pause, pause)
    }

    /// Whether it is to be found out what nothing needs any more, which may mean to read lists on the store; once each time.
    var isDropDue: Bool {
        defer { hasDropped = true }
        return !hasDropped
    }

    /// Somebody asks for it now.
    func tryAgain() { (known, hasDropped) = ([:], false) }
}
