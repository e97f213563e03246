import DriveCore

extension FolderWalk {
    /// Whether another walk found the same things, whatever was written into files meanwhile.
    func agrees(with other: FolderWalk) -> Bool {
        sightings.loose == other.sightings.loose
            && shapes == other.shapes
    }

    /// What was put into a folder in its place shows by itself.
    private var shapes: [Shape] { sightings.list.filter { $0.folderInPlace == nil }.map(Shape.init) }

    private struct Shape: Hashable {
        var folder: Sighting.Folder
        var name: FileName
        var identity: FileIdentity
        var kind: FileFacts.Kind

        init(_ sighting: Sighting) {
            folder = sighting.folder
            name = sighting.name
            identity = sighting.facts.identity
            kind = sighting.facts.kind
        }
    }
}
