import DriveCore
import Synchronization

/// Objects that a store fails to read while it answers otherwise, as one on a bad sector: each costs a call now and then, and has
/// nothing else wait.
final class FailingObjects: Sendable {
    private struct Failure {
        var error: DriveError
        /// Milliseconds since 1970.
        var next: UInt64
        var pause: UInt64
    }

    private let failures = Mutex<[ObjectKey: Failure]>([:])
    private static let first: UInt64 = 60_000
    private static let longest: UInt64 = 3_600_000
    /// Of what more there is, each call finds out.
    private static let most = 10_000

    /// What a call is told instead of being made; nil where it is time for one.
    func refusal(of key: ObjectKey, now: UInt64) -> DriveError? {
        failures.withLock { failures in
            guard let failure = failures[key], now < failure.next, failure.next - now <= failure.pause else {
                return nil
            }
            return failure.error
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
            let pause = min(Self.longest, failures[key].map { $0.pause * 2 } ?? Self.first)
            failures[key] = Failure(error: error, next: now + pause, pause: pause)
        }
        return error
    }

    func forget(_ key: ObjectKey) { failures.withLock { $0[key] = nil } }

    /// Somebody asks for it now.
    func lookAgain() { failures.withLock { failures in for key in failures.keys { failures[key]?.next = 0 } } }
}
