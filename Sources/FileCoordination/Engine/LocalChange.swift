import DriveCore

/// One change that a scan found. Where it was made is only known once the others are put in order.
struct LocalChange {
    var event: DriveEvent
    var isFolder: Bool
    /// What it was found of; nil where nothing here stood for it.
    var row: RowID?
    /// What that holds once all is done that happened to it.
    var content: ContentHash?
    /// Where that was before, and where it is now.
    var before: Place?
    var now: Place?

    struct Place: Hashable {
        var folder: RowID
        var name: FileName

        init(_ row: Row) { (folder, name) = (row.parent, row.name) }
    }

    var isMove: Bool { before != nil && now != nil && before != now }
    var isStructural: Bool { isMove || isFolder && (before == nil) != (now == nil) }

    /// The depth of the deeper of its two places, as the event has them.
    var depth: Int { max(event.path.components.count, event.from?.components.count ?? 0) }
}
