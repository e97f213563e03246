/// When the watcher process is started again after it ended by itself.
struct WatchRestarts {
    /// In a row.
    private(set) var failures = 0

    /// How many milliseconds to wait before another start, after so many failures.
    private static let pauses = [100, 500, 2_000, 10_000, 60_000]
    /// A process that ran so long did not fail at its start.
    private static let healthy = Duration.seconds(10)

    /// A process ended after it had run for so long; returns the milliseconds until the next is started.
    mutating func ended(after time: Duration) -> Int {
        failures = time > Self.healthy ? 0 : failures + 1
        return Self.pauses[min(failures, Self.pauses.count - 1)]
    }
}
