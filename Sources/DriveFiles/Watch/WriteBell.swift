import Dispatch
public import DriveCore
import Glibc

/// Rings when files of a folder are written, made, moved or deleted there, and when the folder itself is: a hint to look
/// whether they say anything new.
///
/// For a few files that this product writes itself; people's folders have a `FolderWatcher`.
public final class WriteBell {
    private let source: any DispatchSourceRead
    /// One ring for all that happened since the last one was taken. Only one consumer.
    public let rings: AsyncStream<Void>

    /// Rings for names that begin with one of `prefixes`, and when the folder or one of those that it is in is moved or
    /// deleted: a folder hears nothing of what happens to those above it. Throws `exhausted` where the kernel has no more
    /// instances or watches for this user (inotify(7)).
    public init(_ folder: [UInt8], prefixes: [[UInt8]], in parents: [[UInt8]] = []) throws(DriveError) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else {
            throw DriveError(
                .exhausted, "too many programs watch folders; end some, or raise fs.inotify.max_user_instances")
        }
        let ends = UInt32(IN_DELETE_SELF | IN_MOVE_SELF)
        let events = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE) | ends
        guard folder.withPathPointer({ inotify_add_watch(descriptor, $0, events) }) >= 0 else {
            close(descriptor)
            throw DriveError(.exhausted, "the folder cannot be watched", path: String(decoding: folder, as: UTF8.self))
        }
        // One that may not be read stays unwatched: better than nothing at all.
        for parent in parents { _ = parent.withPathPointer { inotify_add_watch(descriptor, $0, ends) } }
        let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.rings = rings
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "docdrive.bell"))
        source.setEventHandler { if Self.takes(descriptor, prefixes) { bell.yield() } }
        source.setCancelHandler {
            close(descriptor)
            bell.finish()
        }
        source.resume()
    }

    deinit { source.cancel() }

    /// Ends `rings`.
    public func stop() { source.cancel() }

    /// Reads what there is; whether any of it matters.
    private static func takes(_ descriptor: Int32, _ prefixes: [[UInt8]]) -> Bool {
        var isWanted = false
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var place = 0
                while place + header <= count {
                    let length = Int(buffer.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                    let mask = buffer.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                    let end = min(place + header + length, count)
                    let name = buffer[(place + header)..<end].prefix { $0 != 0 }
                    if mask & always != 0 || prefixes.contains(where: { name.starts(with: $0) }) {
                        isWanted = true
                    }
                    place += header + length
                }
            }
        }
        return isWanted
    }

    /// The end of a folder, and what a full queue has lost, which may have mattered.
    private static let always = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED | IN_Q_OVERFLOW)

    /// `struct inotify_event` without its name.
    private static let header = 16
}
