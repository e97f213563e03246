import DriveCore
import Synchronization

/// Lets so many bytes of transfers pass, and holds the rest until it is opened.
final class TransferGate: Sendable {
    private let left: Mutex<Int?>
    private let held = Atomic(false)

    init(after bytes: Int) { left = Mutex(bytes) }

    var pace: TransferPace {
        TransferPace { [self] _, count in
            while !Task.isCancelled, !take(count) {
                held.store(true, ordering: .relaxed)
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// Whether a transfer waits.
    var isHolding: Bool { held.load(ordering: .relaxed) }

    func open() { left.withLock { $0 = nil } }

    private func take(_ count: Int) -> Bool {
        left.withLock { left in
            guard let present = left else { return true }
            if present < count { return false }
            left = present - count
            return true
        }
    }
}
