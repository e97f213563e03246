import Synchronization

/// How many folders somebody holds open: each is a descriptor on a disk.
public final class OpenFolderCount: Sendable {
    private let state = Mutex<(now: Int, most: Int)>((0, 0))

    public init() {}

    /// The most that were open at once.
    public var most: Int { state.withLock { $0.most } }

    /// Open for as long as somebody has it.
    final class Opened: Sendable {
        private let count: OpenFolderCount

        init(_ count: OpenFolderCount) { self.count = count }

        deinit { count.close() }
    }

    func open() -> Opened {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
        return Opened(self)
    }

    private func close() { state.withLock { $0.now -= 1 } }
}
