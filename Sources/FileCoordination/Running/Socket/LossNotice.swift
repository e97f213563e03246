import Glibc

/// Tells that a file is removed, or changed otherwise, without looking again and again (inotify(7)).
final class LossNotice: Sendable {
    private let number: Int32

    /// Nil where the system has no room for one more.
    init?(_ path: String) {
        number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        let events = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
        guard number >= 0, inotify_add_watch(number, path, events) >= 0 else { return nil }
    }

    deinit { if number >= 0 { close(number) } }

    /// Waits for either: true once something happened to the file, false once there is something to do at the descriptor.
    func comes(before descriptor: Int32) -> Bool {
        var watched = [descriptor, number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&watched, nfds_t(watched.count), -1) < 0 {
            guard errno == EINTR else { return false }
        }
        guard watched[0].revents == 0 else { return false }
        var told = [UInt8](repeating: 0, count: 4096)
        while read(number, &told, told.count) > 0 {}
        return true
    }
}
