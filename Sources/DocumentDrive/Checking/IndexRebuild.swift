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
        // As far as they can be read: the files are there in any case.
        let trash = (try? file.openForReading().trash()) ?? []
        let aside = try file.moveAside()
        let settings = try DriveSettings.load(from: folder)
        let (index, _) = try file.open(
            label: settings.deviceName, hasStore: settings.storeID != nil, entropy: SystemEntropy())
        try index.transaction {
            let files = try DiskFileStore.open(at: folder, replica: replica, index: index)
            try TrashSalvage(files: files, state: index).run(trash)
            try index.log(
                DriveEvent(
                    time: SystemClock().milliseconds(), kind: .recovered, path: .root,
                    note: "The index was damaged and is made anew from folder and store; this device goes on under a "
                        + "new id. The old one lies at \(aside)."))
        }
        return aside
    }
}

/// Lists in a new index what lies in the trash, so that it can be restored.
struct TrashSalvage {
    let files: any FileStore
    let state: any DriveState

    /// `known` is what an older index said; what it does not name is listed under the name that it has in the trash.
    func run(_ known: [TrashEntry] = []) throws {
        let names = try files.list(files.open(.trash))
        let entries = Dictionary(known.map { ($0.name, $0) }) { $1 }
        for file in names.sorted(by: { $0.name < $1.name }) {
            if var entry = entries[file.name] {
                // Made with a key that went with the older index.
                if entry.hash?.isFingerprint == true { entry.hash = try hash(file.name) }
                try state.addTrash(entry)
                continue
            }
            guard let facts = try files.look(at: file.name, in: files.open(.trash)) else { continue }
            try state.addTrash(
                TrashEntry(
                    name: file.name, path: DrivePath([file.name]), hash: nil, size: facts.size, reason: .deleted,
                    time: SystemClock().milliseconds()))
        }
    }

    private func hash(_ name: FileName) throws -> ContentHash? {
        let trash = try files.open(.trash)
        if let target = try files.readLink(name, in: trash) { return files.contentHash(ofLinkTarget: target) }
        return try files.readUndated(name, in: trash)?.hash()?.0
    }
}
