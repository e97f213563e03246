import DriveCore
import Synchronization

/// A watcher that says what a test tells it to. Its stream has no bound.
public final class ScriptedWatcher: FolderWatcher {
    private struct State {
        var canVouch = true
        var barriers = 0
    }

    public let events: AsyncStream<WatchEvent>
    private let continuation: AsyncStream<WatchEvent>.Continuation
    private let state = Mutex(State())

    /// Begins with `ready`.
    public init(watched: Int = 1, unwatched: Int = 0) {
        (events, continuation) = AsyncStream.makeStream()
        continuation.yield(.ready(watched: watched, unwatched: unwatched))
    }

    public func say(_ event: WatchEvent) { continuation.yield(event) }

    /// Says that the last component of `path` changed in its folder; the root itself cannot be touched.
    public func touch(_ path: DrivePath, isClosed: Bool = true) {
        guard let name = path.name else { return }
        say(.touched(folder: path.parent, name: name, isClosed: isClosed))
    }

    /// What `barrier()` answers from now on: false stands for a dead process.
    public var canVouch: Bool {
        get { state.withLock(\.canVouch) }
        set { state.withLock { $0.canVouch = newValue } }
    }

    /// How often a barrier was asked for.
    public var barrierCount: Int { state.withLock(\.barriers) }

    /// Answers at once: whoever drives the script knows what has been consumed.
    public func barrier() async -> Bool {
        state.withLock { state in
            state.barriers += 1
            return state.canVouch
        }
    }

    public func stop() async { continuation.finish() }
}
