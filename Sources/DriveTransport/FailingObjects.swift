import DriveCore
import Synchronization

/// Objects that a store fails to read while it answers otherwise, as one on a bad sector: each costs a call now and then, and has
/// nothing else wait.
final class FailingObjects: Sendable {
    private struct Failure {
        var error: DriveError
        var pause = GrowingPause()
    }

    private let failures = Mutex<[ObjectKey: Failure]>([:])
    /// Of what more there is, each call finds out.
    private static let most = 10_000

    /// What a call is told instead of being made; nil where it is time for one.
    func refusal(of key: ObjectKey, now: UInt64) -> DriveError? {
        failures.withLock { failures in
            failures[key].flatMap { $0.pause.isOn(now: now) ? $0.error : nil }
        }
    }

    /// Where one fails, others on the same disk may: then few calls have to do.
    func tries(of key: ObjectKey, _ most: Int) -> Int {
        failures.withLock { failures in
            if failures[key] != nil { return 1 }
            return failures.isEmpty ? most : min(most, 2)
        }
    }

    func note(_ key: ObjectKey, _ error: DriveError, now: UInt64) -> DriveError {
        let error = DriveError(.objectFailed, error.message, path: error.path)
        failures.withLock { failures in
            guard failures.count < Self.most || failures[key] != nil else { return }
            failures[key, default: Failure(error: error)].error = error
            failures[key]?.pause.fail(now: now)
        }
        return error
    }

    func forget(_ key: ObjectKey) { failures.withLock { $0[key] = nil } }

    /// Somebody asks for it now.
    func lookAgain() { failures.withLock { failures in for key in failures.keys { failures[key]?.pause.cut() } } }
}
