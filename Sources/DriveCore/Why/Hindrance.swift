/// Why something may not be read, or changed.
public enum Hindrance: Hashable, Sendable {
    /// It belongs to the person, and its permissions keep everybody from it.
    case permissions
    /// It belongs to another user.
    case othersItem
    /// Nobody may change it as long as it has a flag of its file system (chattr(1), i and a).
    case unchanging
}
