/// A name in a folder of this disk.
public struct RowPlace: Hashable, Sendable {
    public var folder: RowID
    public var name: FileName

    public init(folder: RowID, name: FileName) { (self.folder, self.name) = (folder, name) }
}

/// Where another row, or another content, may be by now.
public struct ChangedPlaces: Sendable {
    /// To be given with the next question.
    public var mark: UInt64
    /// Nil where it is not known: for who did not ask last, where a folder has got another place, and where the names of conflict copies
    /// or what is known of conflicts have changed.
    public var places: Set<RowPlace>?

    public init(mark: UInt64, places: Set<RowPlace>?) { (self.mark, self.places) = (mark, places) }
}
