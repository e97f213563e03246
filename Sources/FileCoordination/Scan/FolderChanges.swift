public import DriveCore

/// What is in the folder and no pass has looked at yet: found by a walk that reads no file and changes nothing.
///
/// A file that was written counts, whether or not its bytes are others; one that was moved is gone from one place and new in
/// another.
public struct FolderChanges: Sendable {
    /// In the order of the walk; what is in a new folder too.
    public private(set) var new: [DrivePath] = []
    public private(set) var edited: [DrivePath] = []
    public private(set) var gone: [DrivePath] = []
    /// When each of what is there was changed.
    public private(set) var times: [DrivePath: FileTime] = [:]
    /// Rows of what is gone from its place and was seen at another one.
    public private(set) var moved: Set<RowID> = []

    public init(_ parts: DriveParts) throws {
        var walk = try FolderWalk(parts)
        try parts.state.transaction { try walk.walk() }
        let places = Set(walk.sightings.list.map(\.facts.identity))
        var seen: Set<RowID> = []
        for (sighting, place) in zip(walk.sightings.list, walk.places) where sighting.folderInPlace == nil {
            let known = try parts.state.row(at: place.path)
            if let known { seen.insert(known.id) }
            times[place.path] = sighting.facts.changed
            if known?.kind == sighting.kind, sighting.kind != .folder {
                edited.append(place.path)
            } else {
                new.append(place.path)
            }
        }
        for id in walk.sightings.loose.subtracting(seen).sorted() {
            guard let row = try parts.state.row(id), !row.isHeld, !row.isParked else { continue }
            gone.append(try parts.state.path(of: row))
            if places.contains(row.facts.identity) { moved.insert(id) }
        }
    }
}
