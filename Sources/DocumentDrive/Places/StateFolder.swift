import DriveFiles
import Glibc

/// Tells the drive's own folder at a path from another one: a drive that was made anew in its place, or a copy, has another.
struct StateFolder: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Nil where no drive is.
    init?(of drive: FolderPath) {
        var facts = stat()
        guard drive.appending(DriveLayout.state).withPointer({ stat($0, &facts) }) == 0 else { return nil }
        (device, inode) = (facts.st_dev, facts.st_ino)
    }
}
