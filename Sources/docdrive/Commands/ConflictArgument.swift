import DocumentDrive
import DriveCore

/// How people name a conflict: by its id, or by the path of the file or of its copy.
struct ConflictArgument {
    private let conflicts: [Conflict]
    private let drive: FolderPath

    init(_ reader: DriveReader) throws {
        conflicts = try reader.conflicts()
        drive = reader.folder
    }

    /// What all of them name; a conflict that is named twice, as a pattern does that fits a file and its copy, counts once.
    func find(_ arguments: [PathArgument]) throws -> [Conflict] {
        var found: Set<Conflict> = []
        return try arguments.flatMap { try find($0) }.filter { found.insert($0).inserted }
    }

    /// One, unless several copies of the file that is named lie beside it.
    func find(_ argument: PathArgument) throws -> [Conflict] {
        if let found = conflicts.first(where: { Array($0.id.utf8) == argument.bytes }) { return [found] }
        let path = argument.folder.path(beneath: drive)
        let found = conflicts.filter { path != nil && ($0.copy == path || $0.current == path) }
        guard !found.isEmpty else {
            throw DriveError(
                .usage, "no conflict has this id or path; `docdrive conflicts` lists them",
                path: String(decoding: argument.bytes, as: UTF8.self))
        }
        return found
    }
}
