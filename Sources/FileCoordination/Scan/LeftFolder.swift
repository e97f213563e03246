import DriveCore

/// A folder that was met and not gone into, or not to its end, since enough had been found by then.
struct LeftFolder {
    var path: DrivePath
    /// Where it was begun: what is still to be compared.
    var rest: Rest?

    /// Kept, since listing the folder and its rows again for each part would cost the square of its size.
    struct Rest {
        var folder: FileIdentity
        var entries: ArraySlice<FolderEntry>
        var known: RowsByName
        /// These entries are all that was touched in it.
        var isNamed = false
    }
}
