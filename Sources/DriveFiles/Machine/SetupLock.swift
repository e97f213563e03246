import CLinux
public import DriveCore
import Glibc

/// Makes one process the only one that makes a folder a drive, or gives a drive its store, for as long as the value lives or the
/// process does: what one removes of a try would be what another has just made.
public final class SetupLock: Sendable {
    private let folder: Descriptor
    private let path: [UInt8]
    /// The folder was not there.
    private let isMade: Bool

    /// Makes the folder itself if only its last component is missing. Does not wait: `temporary` where another process has it.
    public init(at path: [UInt8]) throws(DriveError) {
        let place = String(decoding: path, as: UTF8.self)
        let made = path.withPathPointer { dd_make_folder_at($0, 0o777) }
        if made < 0, made != -EEXIST { throw .system(-made, "make the drive's folder", path: place) }
        (self.path, isMade) = (path, made >= 0)
        folder = try Descriptor.root(at: path)
        // On a file system without locks nobody is told of the other.
        if dd_lock(folder.number) == -EWOULDBLOCK {
            throw DriveError(
                .temporary, "another process is setting up a drive here; wait until it is done", path: place)
        }
    }

    /// Leaves no folder behind of which no drive was made.
    deinit {
        _ = flock(folder.number, LOCK_UN)
        if isMade { _ = path.withPathPointer { rmdir($0) } }
    }
}
