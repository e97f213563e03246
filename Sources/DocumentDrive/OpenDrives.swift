import DriveCore
import DriveFiles
import Synchronization

/// The drives that this process has open: what needs one of them cannot open it once more.
enum OpenDrives {
    private struct Weak: Sendable {
        weak var drive: Drive?
    }

    private struct State {
        var known: [FolderPath: Weak] = [:]
        /// What this process looks at by itself.
        var looks: [FolderPath: DriveLook] = [:]
    }

    private static let state = Mutex(State())

    /// One that is open for a look alone does not take the place of somebody's.
    static func add(_ drive: Drive, isLook: Bool) {
        let folder = drive.folder.resolved
        state.withLock { state in
            state.known = state.known.filter { $0.value.drive != nil }
            if isLook, state.known[folder]?.drive?.isOpen == true { return }
            state.known[folder] = Weak(drive: drive)
        }
    }

    static func remove(_ drive: Drive) {
        let folder = drive.folder.resolved
        state.withLock { state in if state.known[folder]?.drive === drive { state.known[folder] = nil } }
    }

    /// One that is not closed.
    static func drive(at folder: FolderPath) -> Drive? {
        let folder = folder.resolved
        guard let drive = state.withLock({ $0.known[folder]?.drive }), drive.isOpen else { return nil }
        return drive
    }
}

// Who has the lock. Nobody takes it between the end of a look and that of its lock, nor before a look is known.
extension OpenDrives {
    /// At once, also where this process is only looking at the drive; throws `temporary` where anybody else has it.
    static func hold(_ folder: FolderPath) throws(DriveError) -> DriveHold {
        let place = folder.resolved
        return try taking { state throws(DriveError) in
            if let inherited = state.looks[place]?.bequeath() { return inherited }
            return DriveHold(try lock(folder))
        }
    }

    static func beginLook(_ folder: FolderPath) throws(DriveError) -> DriveLook {
        let place = folder.resolved
        return try taking { state throws(DriveError) in
            let look = DriveLook(try lock(folder))
            state.looks[place] = look
            return look
        }
    }

    /// Whoever has opened the drive meanwhile goes on.
    static func end(_ look: DriveLook) {
        state.withLock { state in
            state.looks = state.looks.filter { $0.value !== look }
            look.giveUp()
        }
        look.end()
    }

    private static func taking<Held: Sendable>(
        _ take: (inout State) throws(DriveError) -> Held
    ) throws(DriveError) -> Held {
        let result = state.withLock { state -> Result<Held, DriveError> in
            do throws(DriveError) { return .success(try take(&state)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private static func lock(_ folder: FolderPath) throws(DriveError) -> DriveLock {
        switch try DriveLock.take(at: folder.bytes) {
        case .taken(let lock): return lock
        case .held(let process): throw .driveInUse(folder, by: process)
        }
    }
}
