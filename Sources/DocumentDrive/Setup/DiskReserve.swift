import DriveCore
import DriveFiles
import Glibc

/// A file that only takes room, so that on a full disk there is some for what makes room (`ReserveUse`): to open the index
/// already takes a few pages. Whatever else wrote into the index would spend it, and then nothing could make room any more.
struct DiskReserve {
    let drive: FolderPath

    private static let size: off_t = 256 << 10
    /// With less SQLite's files may not find what they need to begin.
    private static let least: UInt64 = 64 << 10
    /// Where less is left, the room is better used by what people do.
    private static let abundance: UInt64 = 4 << 20

    private var path: FolderPath { drive.appending(DriveLayout.state).appending("reserve") }

    /// Puts the file there, where it is not and the disk has much more than it takes.
    func provide() {
        guard !path.exists, let space = Space(of: drive), space.left >= Self.abundance else { return }
        let descriptor = path.withPointer { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { return }
        let result = posix_fallocate(descriptor, 0, Self.size)
        Ownership.give(file: path.bytes, descriptor)
        close(descriptor)
        if result != 0 { _ = remove() }
    }

    /// Hardly anything is left besides the reserve.
    var isNeeded: Bool { Space(of: drive).map { $0.left < Self.least } ?? false }

    /// What whoever is refused the reserve is told.
    var refusal: DriveError {
        DriveError(
            .noSpace,
            "The disk of the index is full (`df -h`, `df -i`); free some space, as with `docdrive trash empty`, for which some "
                + "is kept", path: IndexFile(drive: drive).path.description)
    }

    /// Where hardly anything is left, the reserve is given up to who may have it. Throws where an index could not be opened even
    /// so, and for everybody else.
    func makeRoom(isAllowed: Bool) throws(DriveError) {
        guard var space = Space(of: drive), space.left < Self.least else { return }
        guard isAllowed else { throw refusal }
        if remove(), let now = Space(of: drive) { space = now }
        // SQLite maps a file whose pages it has only touched, which with smaller blocks does not give them all their room:
        // to write into one is a fault of memory then, and ends the process.
        if space.block < 4096, space.left < Self.least {
            throw DriveError(.noSpace, "The disk of the index is full; free some space", path: drive.description)
        }
    }

    /// Runs the body once more without the reserve where it finds no room and may have that, whatever the file system says is
    /// left: Btrfs may have none for what it notes of files while there is some for their bytes.
    func opening<Result>(isAllowed: Bool, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DriveError where error.kind == .noSpace {
            guard isAllowed, remove() else { throw error }
            return try body()
        }
    }

    /// What was freed is given to nobody before the file system has noted it: ext4 in its journal, Btrfs in a commit.
    private func remove() -> Bool {
        guard path.withPointer({ unlink($0) }) == 0 else { return false }
        let folder = path.parent.withPointer { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        if folder >= 0 {
            FileSystemCommit.wait(for: folder)
            close(folder)
        }
        return true
    }

    private struct Space {
        var left: UInt64
        var block: UInt

        /// Nil where it cannot be told.
        init?(of folder: FolderPath) {
            var facts = statvfs()
            guard folder.withPointer({ statvfs($0, &facts) }) == 0, facts.f_blocks > 0 else { return nil }
            // Not `f_bfree`: a file system keeps some of it for itself.
            left = UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
            block = facts.f_frsize
        }
    }
}
