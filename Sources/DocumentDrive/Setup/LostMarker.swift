import DriveCore
import DriveFiles

/// A drive whose file with the replica's id is gone, while its settings and its index are there: no folder of a disk that is
/// not mounted, and no folder that becomes a drive.
struct LostMarker {
    let folder: FolderPath

    var isLost: Bool {
        get throws(DriveError) {
            guard DriveSettings.path(in: folder).exists else { return false }
            return try DiskFileStore.replica(at: folder.bytes) == nil
        }
    }

    var error: DriveError {
        DriveError(
            .needsDecision,
            "this drive has lost \(DriveLayout.state)/\(DriveLayout.marker), the file that says that it is one; "
                + "`docdrive init DIR` writes it anew, and keeps all that the drive knows", path: folder.description)
    }

    /// Writes it anew, with an id of its own; false where it is not lost.
    func mend(_ entropy: any Entropy) throws(DriveError) -> Bool {
        guard try isLost else { return false }
        _ = try DiskFileStore.create(at: folder.bytes, replica: entropy.nonce(16) + entropy.nonce(16))
        return true
    }
}
