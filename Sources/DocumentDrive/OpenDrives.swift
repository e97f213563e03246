import Synchronization

/// The drives that this process has open: what needs one of them cannot open it once more.
enum OpenDrives {
    private struct Weak: Sendable {
        weak var drive: Drive?
    }

    private static let known = Mutex<[FolderPath: Weak]>([:])

    static func add(_ drive: Drive) {
        let folder = drive.folder.resolved
        known.withLock { known in
            known = known.filter { $0.value.drive != nil }
            known[folder] = Weak(drive: drive)
        }
    }

    static func remove(_ drive: Drive) {
        let folder = drive.folder.resolved
        known.withLock { known in if known[folder]?.drive === drive { known[folder] = nil } }
    }

    static func drive(at folder: FolderPath) -> Drive? {
        let folder = folder.resolved
        return known.withLock { $0[folder]?.drive }
    }
}
