import DriveCore

/// How items stand between this device and the others.
protocol ItemStates {
    /// Whether the drive was ever in step with a store; in one that was not, nothing is in any cloud.
    var isConnected: Bool { get }
    func state(of row: Row) -> SyncState
    /// Nil where there are no records of it.
    func origin(of row: Row) -> ItemOrigin?
    /// Why it could not be brought here, or sent.
    func problems(at path: DrivePath) -> ItemProblems
}

struct ItemProblems: Hashable, Sendable {
    var downloading: String?
    var uploading: String?
}
