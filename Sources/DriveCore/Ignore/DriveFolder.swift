extension FileName {
    /// The folder in which a drive keeps what is its own.
    public static let driveFolder: FileName = ".docdrive"
}

extension DrivePath {
    /// Whether it is what a drive keeps for itself, or lies in that: of this drive, or of another that was put into it. An index
    /// and a password of one drive mean nothing to the devices of another, and a second copy of a device would do harm.
    public func isDrivesOwn(isFolder: Bool) -> Bool {
        guard let last = components.last else { return false }
        return last == .driveFolder ? isFolder || components.count == 1 : components.dropLast().contains(.driveFolder)
    }
}
