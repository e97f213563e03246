public import DriveCore

/// Rings when files of a folder are written, made, moved or deleted there, and when the folder itself is: a hint to look
/// whether they say anything new.
///
/// For a few files that this product writes itself; people's folders have a `FolderWatcher`.
public final class WriteBell: Sendable {
    private let number: UInt64
    private let bell: AsyncStream<Void>.Continuation
    /// One ring for all that happened since the last one was taken. Only one consumer.
    public let rings: AsyncStream<Void>

    /// Rings for names that begin with one of `prefixes`, and when the folder or one of those that it is in is moved or
    /// deleted: a folder hears nothing of what happens to those above it. Throws `exhausted` where the kernel has no more
    /// instances or watches for this user (inotify(7)), and what the kernel says where it cannot watch that folder; all bells
    /// of a process share one instance.
    public init(_ folder: [UInt8], prefixes: [[UInt8]], in parents: [[UInt8]] = []) throws(DriveError) {
        let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.rings, self.bell) = (rings, bell)
        number = try BellTower.shared.hang(folder, prefixes, in: parents) { bell.yield() }
    }

    deinit { stop() }

    /// Ends `rings`.
    public func stop() {
        BellTower.shared.take(down: number)
        bell.finish()
    }
}
