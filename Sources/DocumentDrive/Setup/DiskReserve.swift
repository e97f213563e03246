import DriveCore
import DriveFiles
import Glibc

/// Files that only take room, so that on a full disk there is some to open the index, which already takes a few pages: one for whatever
/// comes first, as a pass that sends what was saved last, and one for what makes room alone (`ReserveUse`). A pass may spend what
/// it gets, and then nothing could make room any more.
struct DiskReserve {
    let drive: FolderPath

    private static let size: off_t = 256 << 10
    /// With less SQLite's files may not find what they need to begin.
    private static let least: UInt64 = 64 << 10
    /// Where less is left, the room is better used by what people do.
    private static let abundance: UInt64 = 4 << 20

    /// For anybody.
    private var first: FolderPath { drive.appending(DriveLayout.state).appending("reserve") }
    /// For what makes room.
    private var last: FolderPath { drive.appending(DriveLayout.state).appending("reserve-for-making-room") }

    /// Puts the files there, where they are not and the disk has much more than they take.
    func provide() {
        for path in [last, first] where !path.exists {
            guard let space = Space(of: drive), space.left >= Self.abundance else { return }
            provide(path)
        }
    }

    private func provide(_ path: FolderPath) {
        let descriptor = path.withPointer { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { return }
        let result = posix_fallocate(descriptor, 0, Self.size)
        Ownership.give(file: path.bytes, descriptor)
        close(descriptor)
        if result != 0 { _ = remove(path) }
    }

    /// Hardly anything is left besides the reserve.
    var isNeeded: Bool { Space(of: drive).map { $0.left < Self.least } ?? false }

    /// Nothing is left, not even what anybody may have.
    var isSpent: Bool {
        guard !first.exists, let space = Space(of: drive), space.left < Self.least else { return false }
        return geteuid() != 0 || space.leftForRoot < Self.least
    }

    /// What people are told then.
    var refusal: DriveError {
        DriveError(
            .noSpace,
            "The disk of the index is full (`df -h`, `df -i`); free some space, as with `docdrive trash empty`, for which some "
                + "is kept", path: IndexFile(drive: drive).path.description)
    }

    /// Where hardly anything is left, what the caller may have of the reserve is given up. Throws where an index could not be opened
    /// even so.
    func makeRoom(mayUseAll: Bool) throws(DriveError) {
        guard var space = Space(of: drive), space.left < Self.least else { return }
        for path in mayUseAll ? [first, last] : [first] where space.left < Self.least {
            if remove(path), let now = Space(of: drive) { space = now }
        }
        // SQLite maps a file whose pages it has only touched, which with smaller blocks does not give them all their room:
        // to write into one is a fault of memory then, and ends the process.
        if space.block < 4096, space.left < Self.least { throw refusal }
    }

    /// Runs the body once more without what the caller may have of the reserve where it finds no room, whatever the file system says
    /// is left: Btrfs may have none for what it notes of files while there is some for their bytes.
    func opening<Result>(mayUseAll: Bool, _ body: () throws -> Result) throws -> Result {
        var rest = mayUseAll ? [first, last] : [first]
        while true {
            do { return try body() } catch let error as DriveError where error.kind == .noSpace {
                while !rest.isEmpty, !remove(rest[0]) { rest.removeFirst() }
                if rest.isEmpty { throw error }
                rest.removeFirst()
            }
        }
    }

    /// What was freed is given to nobody before the file system has noted it: ext4 in its journal, Btrfs in a commit.
    private func remove(_ path: FolderPath) -> Bool {
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
        /// With what the file system keeps for root, if that is what it keeps.
        var leftForRoot: UInt64
        var block: UInt

        /// Nil where it cannot be told.
        init?(of folder: FolderPath) {
            var facts = statvfs()
            guard folder.withPointer({ statvfs($0, &facts) }) == 0, facts.f_blocks > 0 else { return nil }
            // Not `f_bfree`: a file system keeps some of it for itself.
            left = UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
            leftForRoot = UInt64(facts.f_bfree) * UInt64(facts.f_frsize)
            block = facts.f_frsize
        }
    }
}
