import DriveCore
import DriveFiles
public import FileCoordination
import Foundation

/// What a drive is asked to move, written down for `CleaningUndo` before it is asked.
public struct DriveCleaningNote {
    public let copies: [RedundantCopy]
    private let drive: FolderPath
    private var record: CleaningRecord

    public init(_ cleaning: FolderCleaning, inDrive drive: FolderPath) throws {
        self.drive = drive
        CleaningRecord.tidy(cleaning.folder)
        copies = try cleaning.copies(inDrive: drive)
        record = try CleaningRecord(of: cleaning.folder, inDrive: drive)
        for copy in copies { try record.add(copy.move) }
        try record.makeDurable()
    }

    /// Once the drive has answered: what its trash has now, in the order of `copies`. What did not move is no part of an
    /// undo.
    public mutating func settle() throws -> [CleaningOutcome] {
        let held = Set(try record.entries(in: DriveReader(drive)).map(\.path.bytes))
        record.takeBack { !held.contains(Array($0.path)) }
        let outcomes = copies.map { copy -> CleaningOutcome in
            if held.contains(copy.path) { return .removed }
            let path = drive.appending(path: DrivePath(bytes: copy.path))
            return path.exists ? .changed(path) : .gone
        }
        if record.moves.isEmpty { record.remove() }
        return outcomes
    }
}

extension RedundantCopy {
    fileprivate var move: CleaningRecord.Move { CleaningRecord.Move(path: Data(path)) }
}

extension CleaningRecord {
    /// Those of the drive's trash that hold what this cleaning took.
    func entries(in reader: DriveReader) throws -> [TrashEntry] {
        let paths = Set(moves.map(\.path))
        return try reader.index.trash().filter {
            // Cleanings of before the reason had a name of its own are told from others by their time.
            ($0.reason == .cleaned || $0.reason == .resolved) && $0.time >= time && paths.contains(Data($0.path.bytes))
                && DriveLayout.isInTrash($0.name, of: reader.folder.bytes)
        }
    }
}
