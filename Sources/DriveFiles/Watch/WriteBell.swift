import Dispatch
public import DriveCore
import Glibc

/// Rings when files of a folder are written, made or moved there: a hint to look whether they say anything new.
///
/// For a few files that this product writes itself; people's folders have a `FolderWatcher`.
public final class WriteBell {
    private let source: any DispatchSourceRead
    /// One ring for all that happened since the last one was taken. Only one consumer.
    public let rings: AsyncStream<Void>

    /// Rings for names that begin with one of `prefixes`. Throws `exhausted` where the kernel has no more instances or
    /// watches for this user (inotify(7)).
    public init(_ folder: [UInt8], prefixes: [[UInt8]]) throws(DriveError) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else {
            throw DriveError(
                .exhausted, "too many programs watch folders; end some, or raise fs.inotify.max_user_instances")
        }
        let events = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
        let path = folder.map { CChar(bitPattern: $0) } + [0]
        guard inotify_add_watch(descriptor, path, events) >= 0 else {
            close(descriptor)
            throw DriveError(.exhausted, "the folder cannot be watched", path: String(decoding: folder, as: UTF8.self))
        }
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
                    // What a full queue has lost may have mattered.
                    if mask & UInt32(IN_Q_OVERFLOW) != 0 || prefixes.contains(where: { name.starts(with: $0) }) {
                        isWanted = true
                    }
                    place += header + length
                }
            }
        }
        return isWanted
    }

    /// `struct inotify_event` without its name.
    private static let header = 16
}
