import DriveCore
import DriveFiles

extension FileStore {
    /// Whether a program has it open for writing, and would go on in a file that has no name any more. Only a disk knows, and
    /// not of every file (`DiskFileStore.isBeingWritten`).
    func hasWriter(_ name: FileName, in folder: OpenFolder) -> Bool {
        (self as? DiskFileStore)?.isBeingWritten(name, in: folder) == true
    }
}
