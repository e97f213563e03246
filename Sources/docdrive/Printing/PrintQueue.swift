import Dispatch
import Synchronization

/// Prints one thing after the other on a thread of its own: who does not read what is printed, as behind a pager or with Ctrl-S,
/// keeps nobody from working.
final class PrintQueue: Sendable {
    private struct Load {
        var count = 0
        /// So many were not taken any more.
        var left = 0
    }

    private let queue = DispatchQueue(label: "docdrive.printing")
    private let load = Mutex(Load())

    func add(_ print: @escaping @Sendable () -> Void) {
        let isTaken = load.withLock { load in
            guard load.count < Self.most else {
                load.left += 1
                return false
            }
            load.count += 1
            return true
        }
        guard isTaken else { return }
        queue.async {
            print()
            let left = self.load.withLock { load in
                defer { load.left = 0 }
                load.count -= 1
                return load.left
            }
            if left > 0 {
                Output.error("docdrive: \(Quantity.count(left, "event")) not printed, since nobody read those before")
            }
        }
    }

    /// Gives what is still to be printed a moment.
    func finish() {
        let isPrinted = DispatchSemaphore(value: 0)
        queue.async { isPrinted.signal() }
        _ = isPrinted.wait(timeout: .now() + .milliseconds(500))
    }

    /// Some 20 MB of events.
    private static let most = 100_000
}
