/// The values of `kDDItemConflictClass`.
public enum ConflictWords {
    /// How the two sides of a conflict stand to one another.
    public static let classes = ["identical", "superset", "mergeable", "divergent", "binary", "delete-vs-edit"]
}
