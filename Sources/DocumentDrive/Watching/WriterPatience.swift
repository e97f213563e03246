import DriveCore
import Synchronization

/// How long a file that a program has open for writing is left alone.
final class WriterPatience: Sendable {
    /// What is to be done with the file.
    enum Use: Hashable { case read, replace }

    private struct Wait: Hashable {
        var path: DrivePath
        var use: Use
    }

    private let waits = Mutex<[Wait: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)]>([:])
    private let longest: Duration
    private let hurried = Mutex(0)

    init(longest: Duration = Drive.writerPatience) { self.longest = longest }

    /// Somebody has asked for all there is: meanwhile files are taken as they are.
    func hurrying<Result>(_ isHurried: Bool = true, _ body: () async throws -> Result) async rethrows -> Result {
        hurried.withLock { $0 += isHurried ? 1 : 0 }
        defer { hurried.withLock { $0 -= isHurried ? 1 : 0 } }
        return try await body()
    }

    /// True where nobody writes, or somebody has for so long that it has to be done all the same.
    func isOver(for path: DrivePath, to use: Use, isBeingWritten: Bool) -> Bool {
        let isHurried = hurried.withLock { $0 > 0 }
        return waits.withLock { waits in
            let now = ContinuousClock.now
            let wait = Wait(path: path, use: use)
            var first = now
            // A wait that nobody has asked for in a long time was for something else.
            if let known = waits[wait], now - known.last < longest * 10 { first = known.first }
            if !isBeingWritten || now - first >= longest || isHurried {
                waits[wait] = nil
                return true
            }
            waits[wait] = (first, now)
            return false
        }
    }
}

extension Drive {
    /// So long a file that a program has open for writing is left alone, where a drive waits for writers.
    package static let writerPatience = Duration.seconds(60)
}
