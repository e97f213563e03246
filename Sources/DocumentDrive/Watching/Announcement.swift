public import DriveCore

/// Something that people who look on are told.
public enum Announcement: Sendable {
    case event(DriveEvent)
    /// A pass changed something here or there.
    case worked
    /// Nothing can be done at the moment.
    case waiting(DriveError)
    /// What kept it from going on is over.
    case goesOn(DriveError.Kind)
    /// Items that cannot be synced now, each told once until it can.
    case problems([Problem])
    /// So many deletes wait for somebody to decide; told when the number changes.
    case held(Int)
}
