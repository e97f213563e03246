import DocumentDrive
import DriveFiles

/// Reads the indexes of a drive as memory, which is the fastest way to go through them.
enum MappedReader {
    static func open(_ drive: FolderPath) throws -> DriveReader {
        MappedFiles.answerErrors(
            "docdrive: the drive's index cannot be read (the disk reports an error, or somebody cut the file short): "
                + "\(drive.appending(DriveLayout.state)): see to the disk, then run `docdrive verify`",
            status: ExitStatus.needsOperator.rawValue, ofFullDisk: ExitStatus.noSpace.rawValue)
        let reader = try DriveReader(drive, isMapped: true)
        // Never closed: the end of the process does that for less.
        _ = Unmanaged.passRetained(reader)
        return reader
    }
}
