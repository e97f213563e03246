import Synchronization

/// When a store was last seen to be the drive's: an empty folder in the place of an unmounted disk, and a server's folder that
/// somebody emptied, take everything that is written to them.
final class StoreConfirmation: Sendable {
    private struct Seen {
        var last: ContinuousClock.Instant?
        /// In this pass.
        var isFresh = false

        var isDue: Bool { last.map { .now - $0 > StoreConfirmation.lasts } ?? true }
    }

    private let seen = Mutex(Seen())
    private static let lasts = Duration.seconds(60)

    /// Before a pass: once a minute will do to read.
    var isDue: Bool { seen.withLock { $0.isDue } }

    /// Before something is put: once in each pass, and in a long one each minute.
    var isDueForPutting: Bool { seen.withLock { !$0.isFresh || $0.isDue } }

    /// Before something is called missing; many may be, one after the other.
    var isDueForMissing: Bool { seen.withLock { seen in seen.last.map { .now - $0 > .seconds(1) } ?? true } }

    func passBegins() { seen.withLock { $0.isFresh = false } }

    func confirmed() { seen.withLock { $0 = Seen(last: .now, isFresh: true) } }

    /// Something went wrong with the store: it may be another afterwards.
    func doubt() { seen.withLock { $0 = Seen() } }
}
