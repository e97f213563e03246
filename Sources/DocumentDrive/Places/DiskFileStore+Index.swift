import DriveCore
import DriveFiles
import DriveIndex

extension DiskFileStore {
    /// A drive whose contents are told apart as its index has them.
    static func open(at folder: FolderPath, replica: String, index: DriveIndex) throws -> DiskFileStore {
        try open(at: folder.bytes, replica: replica, contentKey: index.contentKey())
    }
}
