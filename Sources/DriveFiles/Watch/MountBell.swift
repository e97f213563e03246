import CLinux
import DriveCore
import Foundation
import Glibc

/// Rings when something was mounted or unmounted and the path is another folder than it was, or none, or other things are mounted
/// beneath it.
///
/// Inotify tells nothing of a disk that is unmounted while somebody still uses it (`umount -l`), nor of one that is mounted
/// over a folder, nor of the folder that shows again once it is unmounted there. The kernel wakes who waits at its list of mounts (proc(5)): where none changes, this costs nothing.
public final class MountBell: Sendable {
    private let stopper: Int32

    /// `ring` may be called from any thread, once after each change of mounts for as long as the path is not what it was now, and
    /// once after each of what `beneath` tells. Nil where mounts cannot be followed.
    public init?(
        at path: [UInt8], beneath: @escaping @Sendable () -> [DrivePath], ring: @escaping @Sendable () -> Void
    ) {
        let place = MountedFolder(at: path)
        let first = beneath()
        let mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        guard mounts >= 0 else { return nil }
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            close(mounts)
            return nil
        }
        stopper = ends[0]
        let stopped = ends[1]
        Thread.detachNewThread {
            var known = first
            while Self.waitForChange(mounts, stopped) {
                let now = beneath()
                if now != known || MountedFolder(at: path) != place { ring() }
                known = now
            }
            close(mounts)
            close(stopped)
        }
    }

    /// The other end hears that it is closed.
    deinit { close(stopper) }

    /// False once it is stopped.
    private static func waitForChange(_ mounts: Int32, _ stopped: Int32) -> Bool {
        var waiting = [
            pollfd(fd: mounts, events: Int16(POLLPRI), revents: 0),
            pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waiting, 2, -1) < 0 { guard errno == EINTR || errno == EAGAIN else { return false } }
        return waiting[1].revents == 0
    }
}

/// Which folder a path is, and where it is mounted.
private struct MountedFolder: Hashable {
    private let volume: Volume
    private let identity: FileIdentity

    init?(at path: [UInt8]) {
        var facts = dd_facts()
        guard path.withPathPointer({ dd_look_at_path($0, &facts) }) == 0 else { return nil }
        (volume, identity) = (Volume(facts), facts.identity)
    }
}
