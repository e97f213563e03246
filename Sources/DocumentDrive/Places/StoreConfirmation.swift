import Synchronization

/// When a store was last seen to be the drive's: an empty folder in the place of an unmounted disk takes everything that is
/// written to it.
final class StoreConfirmation: Sendable {
    private let last = Mutex<ContinuousClock.Instant?>(nil)
    private static let lasts = Duration.seconds(60)

    var isDue: Bool { last.withLock { $0.map { .now - $0 > Self.lasts } ?? true } }

    func confirmed() { last.withLock { $0 = .now } }

    /// Something went wrong with the store: it may be another afterwards.
    func doubt() { last.withLock { $0 = nil } }
}
