import DriveCore
import DriveFiles
import DriveIndex
import FileCoordination

extension Drive {
    /// Puts a damaged index aside and begins a new one; the next `sync` fills it from folder and store, as for a device
    /// that joins with all its files. Returns where the old one lies. Throws `temporary` where somebody works on it.
    public static func rebuildIndex(_ folder: FolderPath) throws -> FolderPath {
        guard let replica = try replica(of: folder) else {
            throw DriveError(.usage, "this folder is no drive", path: folder.description)
        }
        let lock: DriveLock
        switch try DriveLock.take(at: folder.bytes) {
        case .taken(let taken): lock = taken
        case .held(let process): throw DriveError.driveInUse(folder, by: process)
        }
        defer { withExtendedLifetime(lock) {} }
        let file = IndexFile(drive: folder)
        let trash = try knownTrash(file)
        let aside = try file.moveAside()
        let settings = try DriveSettings.load(from: folder)
        let (index, _) = try file.open(
            label: settings.deviceName, hasStore: settings.storeID != nil, entropy: SystemEntropy())
        try index.transaction {
            let files = try DiskFileStore.open(at: folder, replica: replica, index: index)
            try TrashSalvage(files: files, state: index).run(TrashSalvage.renewed(trash, files))
            try index.log(
                DriveEvent(
                    time: SystemClock().milliseconds(), kind: .recovered, path: .root,
                    note: "The index was damaged and is made anew from folder and store; this device goes on under a "
                        + "new id. The old one lies at \(aside)."))
        }
        return aside
    }

    /// As far as it can be read: the files are there in any case. What cannot be read for a while, or is of a newer version, is not
    /// damaged, and the index stays as it is.
    private static func knownTrash(_ file: IndexFile) throws -> [TrashEntry] {
        do { return try file.openForReading().trash() } catch let error as DriveError
            where [.corrupt, .inputOutput, .notFound].contains(error.kind)
        {
            return []
        }
    }
}
