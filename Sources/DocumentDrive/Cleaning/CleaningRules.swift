import DriveCore
import DriveFiles
import FileCoordination

/// The rules of the drive that a cleaning is in: what they hide no other device has.
struct CleaningRules {
    private let tree: IgnoreTree
    private let reader: DriveReader
    /// Where in the drive the folder is.
    private let place: DrivePath

    /// Nil where the folder is in no drive. `found` is what lies in the folder: rules may be among it that no pass has seen.
    init?(for folder: FolderPath, _ found: some Sequence<DrivePath>) throws {
        guard let drive = try Drive.find(from: folder) else { return nil }
        reader = try DriveReader(drive)
        let place = DrivePath(bytes: folder.resolved.bytes.dropFirst(drive.resolved.bytes.count))
        self.place = place
        var files = try IgnoreKeeper.files(of: reader.index)
        for count in 0...place.components.count {
            files.insert(DrivePath(Array(place.components[..<count])).appending(IgnoreRules.fileName))
        }
        for path in found where path.name == IgnoreRules.fileName {
            files.insert(DrivePath(place.components + path.components))
        }
        tree = try IgnoreTree(files, in: reader.lookingFiles(), reader.index)
    }

    /// Of the copies and their originals.
    func hidden(of candidates: [ConflictCandidate]) throws -> Set<DrivePath> {
        try Set(candidates.flatMap { [$0.path, $0.family] }).filter { path in
            let inDrive = DrivePath(place.components + path.components)
            // Conflict copies are sent whatever a rule says.
            return try tree.ignores(inDrive, isFolder: false) && reader.index.row(at: inDrive)?.isDerived != true
        }
    }
}
