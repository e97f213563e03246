/// Says where to look; never what is true.
public protocol FolderWatcher: Sendable {
    /// Ends when the watcher is stopped. Only one consumer.
    var events: AsyncStream<WatchEvent> { get }
    func stop() async
}

public enum WatchEvent: Hashable, Sendable {
    /// Watches stand; everything after this is seen. `unwatched` folders are not covered and must be polled.
    case ready(watched: Int, unwatched: Int)
    /// Something about `name` in `folder` changed; `isClosed` after a writer closed it or it was moved in.
    case touched(folder: DrivePath, name: FileName, isClosed: Bool)
    /// Events were lost (overflow, a dead process, a full stream): look everywhere.
    case rescan(reason: String)
}
