import DriveCore
import Synchronization

/// How long a file that a program has open for writing is left alone.
final class WriterPatience: Sendable {
    private let since = Mutex<[DrivePath: ContinuousClock.Instant]>([:])
    private let longest: Duration
    private let hurried = Mutex(0)

    init(longest: Duration = .seconds(60)) { self.longest = longest }

    /// Somebody has asked for all there is: meanwhile files are taken as they are.
    func hurrying<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        hurried.withLock { $0 += 1 }
        defer { hurried.withLock { $0 -= 1 } }
        return try await body()
    }

    /// True where nobody writes, or somebody has for so long that a consistent read has to do.
    func isOver(for path: DrivePath, isBeingWritten: Bool) -> Bool {
        since.withLock { since in
            let now = ContinuousClock.now
            let first = since[path] ?? now
            if !isBeingWritten || now - first >= longest || hurried.withLock({ $0 > 0 }) {
                since[path] = nil
                return true
            }
            since[path] = first
            return false
        }
    }
}
