import Synchronization

/// How many bytes are put at once where that can be chosen, as of small chunks and of records: as many as are worth a request,
/// until the store refuses an object for its size. From then on it is half of what was refused, again and again if need be, for
/// the rest of the run: a limit that somebody raises meanwhile costs more requests, and nothing else.
final class PutLimit: Sendable {
    private let least = Mutex(Int.max)

    /// At most this; without a refusal, everything.
    var bytes: Int { least.withLock { $0 } }

    func refused(_ count: Int) {
        least.withLock { $0 = min($0, max(count / 2, 1)) }
    }
}
