import Synchronization

/// Whether what is done with a drive now makes room, and may have all of the reserve of its disk for that (`DiskReserve`).
final class ReserveUse: Sendable {
    private let count = Mutex(0)

    var isAllowed: Bool { count.withLock { $0 > 0 } }

    func during<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        count.withLock { $0 += 1 }
        defer { count.withLock { $0 -= 1 } }
        return try await body()
    }
}
