import Synchronization

/// Lets one request at a time make a collection: servers that lock what they make refuse the second with 423 (RFC 4918,
/// section 11.3).
final class CollectionTurns: Sendable {
    /// Who waits for each collection that somebody makes, in the order in which they came.
    private let waiting = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])

    /// Returns when no other makes the collection. Whoever takes a turn gives it back.
    func take(_ folder: String) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                if waiting[folder]?.append(continuation) != nil { return false }
                waiting[folder] = []
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func give(_ folder: String) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            if waiting[folder]?.isEmpty == false { return waiting[folder]?.removeFirst() }
            waiting[folder] = nil
            return nil
        }
        next?.resume()
    }
}
