public import DriveCore

/// What a watcher saw touched since the last scan.
public struct ScanScope {
    public var touched: TouchedPaths
    /// Waits until everything that happened before the call has been seen, and returns what was touched meanwhile; nil
    /// where the watcher cannot vouch for that, so that the scan looks everywhere.
    public var secondLook: () async -> TouchedPaths?

    public init(
        touched: TouchedPaths, secondLook: @escaping () async -> TouchedPaths?
    ) {
        self.touched = touched
        self.secondLook = secondLook
    }
}
