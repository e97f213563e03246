public import DriveCore

/// Brings back what the last cleaning of a folder moved to a trash.
public struct CleaningUndo {
    private let record: CleaningRecord
    /// What later cleanings took that cannot come back, and why.
    public let blocked: [(path: FolderPath, error: DriveError)]

    /// Nil where no cleaning of this folder is known that is not undone. Where nothing of the last one can come back,
    /// since something else has the names by now, it is the one before.
    public init?(of folder: FolderPath) throws {
        var passed: [CleaningRecord] = []
        for record in try CleaningRecord.all(of: folder) {
            if record.isStuck {
                passed.append(record)
                continue
            }
            self.record = record
            blocked = passed.flatMap(\.obstacles)
            return
        }
        guard let first = passed.first else { return nil }
        record = first
        blocked = passed.dropFirst().flatMap(\.obstacles)
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
            switch move.standing {
            case .back: if move.trashPlace?.exists == false { move.removeNote() }
            case .lost(let error): tell(move.place, error)
            case .held(let trash):
                do throws(DriveError) {
                    try move.bringBack(from: trash)
                    tell(move.place, nil)
                } catch {
                    isComplete = false
                    tell(move.place, error)
                }
            }
        }
        if isComplete { record.remove() }
    }

    /// What the cleaning moved to the drive's trash: the names there of what is there still, and the paths of what is in
    /// neither place any more.
    public func inDrive(_ reader: DriveReader) throws -> (names: [String], lost: [DrivePath]) {
        let entries = try record.entries(in: reader)
        let held = Set(entries.map(\.path))
        let lost = record.moves.map { DrivePath(bytes: $0.path) }.filter {
            !held.contains($0) && !reader.folder.appending(path: $0).exists
        }
        return (entries.map(\.name.description), lost)
    }

    /// What there was to bring back is back.
    public func finish() { record.remove() }
}

extension CleaningRecord {
    /// In the desktop's trash, with nothing that can come back, and something that may later.
    fileprivate var isStuck: Bool {
        var isBlocked = false
        for move in moves {
            guard case .held(let trash) = move.standing else { continue }
            if move.obstacle(trash) == nil { return false }
            isBlocked = true
        }
        return isBlocked
    }

    fileprivate var obstacles: [(path: FolderPath, error: DriveError)] {
        moves.compactMap { move in
            guard case .held(let trash) = move.standing else { return nil }
            return move.obstacle(trash).map { (move.place, $0) }
        }
    }
}
