import Dispatch
import DriveCore
import Glibc
import Synchronization

/// The inotify instance that all bells of a process share: a user has but 128 of them (inotify(7)), for all programs. There is
/// one while there are bells.
final class BellTower: Sendable {
    static let shared = BellTower()

    /// What somebody wants to hear of one folder.
    struct Wish {
        var bell: UInt64
        /// Names that begin like this; empty where only the end of the folder matters.
        var prefixes: [[UInt8]]
        var ring: @Sendable () -> Void
    }

    private struct State {
        var descriptor: Int32 = -1
        var source: (any DispatchSourceRead)?
        var wishes: [Int32: [Wish]] = [:]
        var newest: UInt64 = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "docdrive.bell")

    /// Rings for what is written in the folder under such a name, and for the end of it and of its parents. A parent that may not
    /// be read stays unwatched: better than nothing at all. Returns what `take(down:)` wants.
    func hang(
        _ folder: [UInt8], _ prefixes: [[UInt8]], in parents: [[UInt8]], ring: @escaping @Sendable () -> Void
    ) throws(DriveError) -> UInt64 {
        try state.withLock { (state) throws(DriveError) in
            try begin(&state)
            state.newest += 1
            let bell = state.newest
            let watch = Self.watch(folder, Self.writes | Self.ends, state.descriptor)
            guard watch >= 0 else {
                endIfIdle(&state)
                throw Self.failure(-watch, folder)
            }
            state.wishes[watch, default: []].append(Wish(bell: bell, prefixes: prefixes, ring: ring))
            for parent in parents {
                let watch = Self.watch(parent, Self.ends, state.descriptor)
                guard watch >= 0 else { continue }
                state.wishes[watch, default: []].append(Wish(bell: bell, prefixes: [], ring: ring))
            }
            return bell
        }
    }

    func take(down bell: UInt64) {
        state.withLock { state in
            for (watch, wishes) in state.wishes where wishes.contains(where: { $0.bell == bell }) {
                let others = wishes.filter { $0.bell != bell }
                state.wishes[watch] = others.isEmpty ? nil : others
                if others.isEmpty { inotify_rm_watch(state.descriptor, watch) }
            }
            endIfIdle(&state)
        }
    }

    /// Several may want other things of one folder, which has one watch. A negative error number where it has none.
    private static func watch(_ folder: [UInt8], _ events: UInt32, _ descriptor: Int32) -> Int32 {
        folder.withPathPointer {
            let watch = inotify_add_watch(descriptor, $0, events | UInt32(IN_MASK_ADD))
            return watch < 0 ? -errno : watch
        }
    }

    private static func failure(_ code: Int32, _ folder: [UInt8]) -> DriveError {
        let path = String(decoding: folder, as: UTF8.self)
        // Not of the disk (inotify_add_watch(2)).
        guard code == ENOSPC else { return .system(code, "watch the folder", path: path) }
        return DriveError(
            .exhausted, "no inotify watch is left (error \(code)); raise fs.inotify.max_user_watches with sysctl",
            path: path)
    }

    private func begin(_ state: inout State) throws(DriveError) {
        guard state.source == nil else { return }
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else {
            throw DriveError(
                .exhausted, "too many programs watch folders; end some, or raise fs.inotify.max_user_instances")
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.listen(to: descriptor) }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        (state.descriptor, state.source) = (descriptor, source)
    }

    private func endIfIdle(_ state: inout State) {
        guard state.wishes.isEmpty else { return }
        state.source?.cancel()
        (state.descriptor, state.source) = (-1, nil)
    }

    /// Takes what there is. Whoever is rung may ask for another bell.
    private func listen(to descriptor: Int32) {
        let rung: [@Sendable () -> Void] = state.withLock { state in
            guard state.descriptor == descriptor else { return [] }
            var rung: [UInt64: @Sendable () -> Void] = [:]
            InotifyEvents.read(descriptor) { event in
                let isForAll = event.mask & UInt32(IN_Q_OVERFLOW) != 0
                let wishes = isForAll ? state.wishes.values.flatMap { $0 } : state.wishes[event.watch] ?? []
                for wish in wishes where event.mask & Self.always != 0 || event.isNamed(wish.prefixes) {
                    rung[wish.bell] = wish.ring
                }
                // The kernel has taken it away with its folder.
                if event.mask & UInt32(IN_IGNORED) != 0 { state.wishes[event.watch] = nil }
            }
            endIfIdle(&state)
            return Array(rung.values)
        }
        for ring in rung { ring() }
    }

    private static let ends = UInt32(IN_DELETE_SELF | IN_MOVE_SELF)
    private static let writes = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
    /// The end of a folder, and what a full queue has lost, which may have mattered.
    private static let always = ends | UInt32(IN_UNMOUNT | IN_IGNORED | IN_Q_OVERFLOW)
}

/// `struct inotify_event` (inotify(7)).
private struct InotifyEvents {
    var watch: Int32
    var mask: UInt32
    var name: Slice<UnsafeMutableRawBufferPointer>

    func isNamed(_ prefixes: [[UInt8]]) -> Bool { prefixes.contains { name.starts(with: $0) } }

    /// Without its name.
    private static let header = 16

    static func read(_ descriptor: Int32, _ body: (InotifyEvents) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var place = 0
                while place + header <= count {
                    let length = Int(buffer.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                    let end = min(place + header + length, count)
                    body(
                        InotifyEvents(
                            watch: buffer.loadUnaligned(fromByteOffset: place, as: Int32.self),
                            mask: buffer.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self),
                            name: buffer[(place + header)..<end].prefix { $0 != 0 }))
                    place += header + length
                }
            }
        }
    }
}
