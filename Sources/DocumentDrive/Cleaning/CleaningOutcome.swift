public import DriveCore

/// What became of a copy that a cleaning was to move.
public enum CleaningOutcome: Sendable {
    case removed
    /// Somebody was faster, perhaps another cleaning: nothing is at its place.
    case gone
    /// It is where it was, and why.
    case left(DriveError)

    static func changed(_ path: FolderPath) -> CleaningOutcome {
        .left(
            DriveError(
                .temporary, "it, or the file that has all of it, changed meanwhile; it was left alone",
                path: path.description))
    }
}
