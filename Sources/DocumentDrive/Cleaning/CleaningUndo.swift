public import DriveCore
import DriveFiles
public import FileCoordination
import Glibc

/// Brings back what the last cleaning of a folder moved to a trash.
public struct CleaningUndo {
    private let record: CleaningRecord

    /// Nil where no cleaning of this folder is known that is not undone.
    public init?(of folder: FolderPath) throws {
        guard let record = try CleaningRecord.newest(of: folder) else { return nil }
        self.record = record
    }

    public var count: Int { record.moves.count }
    /// When the cleaning was, in milliseconds since 1970.
    public var time: UInt64 { record.time }
    /// The drive whose trash has the copies; nil where it is the desktop's.
    public var drive: FolderPath? { record.drive }

    /// Each to its place, unless something else is there by now; tells each path, with the error where it did not come back.
    public func restore(_ tell: (FolderPath, DriveError?) -> Void) {
        var isComplete = true
        for move in record.moves {
            guard let trash = move.trash.map({ FolderPath($0) }) else { continue }
            let path = FolderPath(move.path)
            guard let identity = move.identity, CleaningFile.Identity(of: trash) == identity else {
                if let error = absence(path, move) { tell(path, error) }
                continue
            }
            do throws(DriveError) {
                try bringBack(path, from: trash)
                if let note = move.note { _ = FolderPath(note).withPointer { unlink($0) } }
                tell(path, nil)
            } catch {
                isComplete = false
                tell(path, error)
            }
        }
        if isComplete { record.remove() }
    }

    /// It never left its place, or is back already: nil. Else somebody took it out of the trash, and what has its name there
    /// now is another's.
    private func absence(_ path: FolderPath, _ move: CleaningRecord.Move) -> DriveError? {
        guard let identity = move.identity, CleaningFile.Identity(of: path) == identity else {
            return DriveError(.notFound, "the trash has it no more", path: path.description)
        }
        // A cleaning that was killed leaves a note without a file.
        if let note = move.note, let trash = move.trash, !FolderPath(trash).exists {
            _ = FolderPath(note).withPointer { unlink($0) }
        }
        return nil
    }

    private func bringBack(_ path: FolderPath, from trash: FolderPath) throws(DriveError) {
        path.parent.makeWithParents(0o755)
        guard path.parent.resolved == path.parent else {
            throw DriveError(
                .usage, "its folder is a link by now; move that away, or take the copy from \(trash)",
                path: path.description)
        }
        if trash.move(to: path) { return }
        guard errno == EEXIST else { throw SmallFile.failure("bring it back from the trash", path) }
        throw DriveError(
            .usage, "something else has its name by now; move that away, or take the copy from \(trash)",
            path: path.description)
    }

    /// What the cleaning moved to the drive's trash: the names there of what is there still, and the paths of what is in
    /// neither place any more.
    public func inDrive(_ reader: DriveReader) throws -> (names: [String], lost: [DrivePath]) {
        let paths = Set(record.moves.map(\.path))
        let entries = try reader.index.trash().filter {
            $0.reason == .resolved && $0.time >= record.time && paths.contains($0.path.bytes)
                && DriveLayout.isInTrash($0.name, of: reader.folder.bytes)
        }
        let held = Set(entries.map(\.path))
        let lost = record.moves.map { DrivePath(bytes: $0.path) }.filter {
            !held.contains($0) && !reader.folder.appending(path: $0).exists
        }
        return (entries.map(\.name.description), lost)
    }

    /// What there was to bring back is back.
    public func finish() { record.remove() }
}

extension FolderCleaning {
    /// For `CleaningUndo`: what the drive is about to be asked to move.
    public func note(_ copies: [RedundantCopy], inDrive drive: FolderPath) throws {
        var record = try CleaningRecord(of: folder, inDrive: drive)
        for copy in copies { try record.add(CleaningRecord.Move(path: copy.path)) }
    }
}
