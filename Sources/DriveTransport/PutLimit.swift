import Synchronization

/// How many bytes are put at once where that can be chosen, as of small chunks and of records: as many as are worth a request,
/// until the store refuses an object for its size. From then on it is half of what was refused, again and again if need be, for
/// the rest of the run: a limit that somebody raises meanwhile costs more requests, and nothing else.
final class PutLimit: Sendable {
    private let least = Mutex((size: Int.max, search: Int.max))

    /// At most this; without a refusal, everything.
    var bytes: Int { least.withLock { min($0.size, $0.search) } }

    func refused(_ count: Int) {
        least.withLock { $0.size = min($0.size, max(count / 2, 1)) }
    }

    /// The store refuses these bytes for what they are: in smaller parts it shows which of them it means.
    func searches(_ count: Int) {
        least.withLock { $0.search = min($0.search, max(count / 2, 1)) }
    }

    /// It took some, or one that it means is known; there may be more of them.
    func took() { least.withLock { $0.search = $0.search > Self.much ? .max : $0.search * 2 } }

    private static let much = 1 << 20
}
