public import FileCoordination
import DriveCore
import DriveFiles
import Synchronization

extension DriveCoordination {
    /// For a drive that this process does not work on itself: through the process that watches it, if there is one.
    ///
    ///     let access = try DriveCoordination.of(FolderPath("/home/ada/Documents"))
    ///     try await access.coordinator().coordinate(writing: "Letters/Budget.ods") { item in try data.write(to: item.url) }
    public static func of(_ drive: FolderPath) throws(DriveError) -> DriveCoordination {
        guard let replica = try Drive.replica(of: drive) else {
            throw DriveError(
                .usage, "this folder is no drive; make it one with `docdrive init`", path: drive.description)
        }
        return shared(drive, replica)
    }

    /// One for each drive in a process: claims that two of them made would not know of each other's purposes. A drive that was made
    /// anew at its path is another: its lock file is, and its socket.
    static func shared(_ drive: FolderPath, _ replica: String) -> DriveCoordination {
        let folder = drive.resolved
        return known.withLock { known in
            known = known.filter { $0.value.value != nil }
            let state = StateFolder(of: folder)
            if let found = known[folder], found.replica == replica, found.state == state, let value = found.value {
                return value
            }
            let file = folder.appending(DriveLayout.state).appending("coordination")
            Ownership.prepare(file: file.bytes, mode: 0o600)
            let made = DriveCoordination(
                root: folder.bytes, claims: FileClaims(lockFile: file.bytes),
                place: SocketPlace(replica: replica, drive: folder))
            known[folder] = Weak(value: made, replica: replica, state: state)
            return made
        }
    }

    /// What this process has already.
    static func known(_ drive: FolderPath) -> DriveCoordination? {
        let folder = drive.resolved
        return known.withLock { $0[folder]?.value }
    }

    private struct Weak: Sendable {
        weak var value: DriveCoordination?
        var replica: String
        var state: StateFolder?
    }

    private static let known = Mutex<[FolderPath: Weak]>([:])
}
