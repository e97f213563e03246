import DriveCore

/// How items stand between this device and the others.
protocol ItemStates {
    /// Whether the drive was ever in step with a store; in one that was not, nothing is in any cloud.
    var isConnected: Bool { get }
    func state(of row: Row) -> Standing
    /// Nil where there are no records of it.
    func origin(of row: Row) -> ItemOrigin?
    func conflict(of row: Row) -> ConflictStanding
    /// Why it could not be brought here, or sent.
    func problems(of row: Row, at path: DrivePath) -> ItemProblems
}

/// Whether an item is a side of a conflict that stands.
struct ConflictStanding: Hashable, Sendable {
    var isUnresolved = false
    /// Nil until both sides were compared.
    var kind: ConflictClass?
}

struct ItemProblems: Hashable, Sendable {
    var downloading: String?
    var uploading: String?
}
