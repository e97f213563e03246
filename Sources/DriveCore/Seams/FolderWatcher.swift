/// Says where to look; never what is true.
public protocol FolderWatcher: Sendable {
    /// Ends with the watcher. Only one consumer.
    var events: AsyncStream<WatchEvent> { get }
    /// Returns true when the consumer of `events` has taken, and asked for more after, every event of a change made
    /// before the call in a watched folder. False if that cannot be told: the watcher is down, or nobody consumes in
    /// time. Never call it from the loop that consumes.
    func barrier() async -> Bool
}

public enum WatchEvent: Hashable, Sendable {
    /// Watches stand; everything after this is seen. `unwatched` folders are not covered and must be polled. Comes again
    /// some time after one of these numbers has changed.
    case ready(watched: Int, unwatched: Int)
    /// Something about `name` in `folder` changed, and nothing else in it that is not told of by itself; without a name,
    /// anything in it may have. `isClosed` after a writer closed it or it was moved in, for folders, and for what was found in
    /// a folder that appeared. A delete or a change of attributes alone is not closed.
    case touched(folder: DrivePath, name: FileName?, isClosed: Bool)
    /// Events were lost (overflow, a dead process, a full stream): look everywhere.
    case rescan(reason: String)
}
