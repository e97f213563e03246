import DriveCore
import Synchronization

/// How long a file that a program has open for writing is left alone.
final class WriterPatience: Sendable {
    private let since = Mutex<[DrivePath: ContinuousClock.Instant]>([:])
    private let longest: Duration

    init(longest: Duration = .seconds(60)) { self.longest = longest }

    /// True where nobody writes, or somebody has for so long that a consistent read has to do.
    func isOver(for path: DrivePath, isBeingWritten: Bool) -> Bool {
        since.withLock { since in
            let now = ContinuousClock.now
            let first = since[path] ?? now
            if !isBeingWritten || now - first >= longest {
                since[path] = nil
                return true
            }
            since[path] = first
            return false
        }
    }
}
