public import DriveCore
import Foundation

/// Brings back what the last cleaning of a folder moved to a trash.
public struct CleaningUndo {
    private var record: CleaningRecord
    /// What later cleanings took that cannot come back, and why; and lists of cleanings that cannot be read whole.
    public let blocked: [(path: FolderPath, error: DriveError)]

    /// Nil where no cleaning of this folder is known that is not undone. Where nothing of the last one can come back,
    /// since something else has the names by now or its trash is not there, it is the one before.
    public init?(of folder: FolderPath) throws {
        var passed: [CleaningRecord] = []
        var unreadable: [(path: FolderPath, error: DriveError)] = []
        for file in try CleaningRecord.files() {
            switch CleaningRecord.look(file, folder) {
            case .failure(let error): unreadable.append((file, error))
            case .success(nil): break
            case .success(let record?):
                if let damage = record.damage { unreadable.append((file, damage)) }
                switch record.prospect {
                case .ended: break
                case .stuck: passed.append(record)
                case .open:
                    self.record = record
                    blocked = unreadable + passed.flatMap(\.obstacles)
                    return
                }
            }
        }
        guard let first = passed.first else {
            if let (_, error) = unreadable.first { throw error }
            return nil
        }
        record = first
        blocked = unreadable + passed.dropFirst().flatMap(\.obstacles)
    }

    /// Forgets what is back already, and removes what a cleaning that was killed left in the trash.
    public static func tidy(_ folder: FolderPath) { CleaningRecord.tidy(folder) }

    /// How many can come back, as far as can be seen.
    public var count: Int { record.moves.count(where: \.canComeBack) }
    /// What cannot come back, and why.
    public var obstacles: [DriveError] { record.moves.compactMap(\.trouble) }
    /// When the cleaning was, in milliseconds since 1970.
    public var time: UInt64 { record.time }
    /// The drive whose trash has the copies; nil where it is the desktop's.
    public var drive: FolderPath? { record.drive }

    /// Waits for a cleaning that is still at work, and for another undo; others then wait for this one while the value
    /// lives. False where another has undone the cleaning meanwhile.
    public mutating func hold() throws(DriveError) -> Bool {
        guard let held = try record.held() else { return false }
        record = held
        return true
    }

    /// Each to its place, unless something else is there by now; tells each path, with the error where it did not come
    /// back. What came back, or is certainly gone, is forgotten.
    public mutating func restore(_ tell: (FolderPath, DriveError?) -> Void) {
        var waiting: Set<CleaningRecord.Move> = []
        for move in record.moves {
            switch move.standing {
            case .back: move.removeNote()
            case .lost(let error): tell(move.place, error)
            case .away(let error):
                waiting.insert(move)
                tell(move.place, error)
            case .held(let trash):
                do throws(DriveError) {
                    try move.bringBack(from: trash)
                    tell(move.place, nil)
                } catch {
                    waiting.insert(move)
                    tell(move.place, error)
                }
            }
        }
        if waiting.isEmpty { record.remove() } else { record.takeBack { !waiting.contains($0) } }
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

    /// Once the drive has brought back what it could: that, and what is certainly gone, is forgotten. What its trash has still is
    /// there for the next undo.
    public mutating func finish(_ reader: DriveReader) throws {
        let held = Set(try record.entries(in: reader).map { Data($0.path.bytes) })
        if held.isEmpty { record.remove() } else { record.takeBack { !held.contains($0.path) } }
    }
}
