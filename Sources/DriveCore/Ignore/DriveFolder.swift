extension FileName {
    /// The folder in which a drive keeps what is its own.
    public static let driveFolder: FileName = ".docdrive"
    /// The folder at the top of a file system into which `e2fsck` puts what it finds (mklost+found(8)): only root may look into it,
    /// and where it is removed nobody makes it anew.
    public static let lostAndFound: FileName = "lost+found"
}

extension DrivePath {
    /// Whether it is what a drive or a file system keeps for itself, or lies in that: of this drive, or of another that was put into
    /// it. An index and a password of one drive mean nothing to the devices of another, and a second copy of a device would do harm.
    public func isDrivesOwn(isFolder: Bool) -> Bool {
        guard let last = components.last else { return false }
        if isFileSystemsOwn(isFolder: isFolder) { return true }
        return last == .driveFolder ? isFolder || components.count == 1 : components.dropLast().contains(.driveFolder)
    }

    /// Of the file system whose topmost folder is the drive's.
    func isFileSystemsOwn(isFolder: Bool) -> Bool {
        components.first == .lostAndFound && (isFolder || components.count > 1)
    }
}
