public import DriveCore

/// What a watcher saw touched since the last scan.
public struct ScanScope {
    /// Folders something in which was touched.
    public var folders: Set<DrivePath>
    /// Waits until everything that happened before the call has been seen, and returns the folders touched meanwhile; nil
    /// where the watcher cannot vouch for that, so that the scan looks everywhere.
    public var secondLook: () async -> Set<DrivePath>?

    public init(folders: Set<DrivePath>, secondLook: @escaping () async -> Set<DrivePath>?) {
        self.folders = folders
        self.secondLook = secondLook
    }
}
