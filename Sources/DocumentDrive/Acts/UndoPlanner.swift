public import DriveCore

/// Tells what an undo would do; changes nothing.
public struct UndoPlanner {
    private let reader: DriveReader
    private let folder: FolderNow
    private let moves: LaterMoves
    private let kept: KeptContents

    public init(_ reader: DriveReader) throws {
        self.reader = reader
        folder = try reader.folderNow()
        moves = LaterMoves(try reader.index.events(limit: .max))
        kept = KeptContents(reader.index, hasStore: reader.settings.storeID != nil)
    }

    /// How to reverse operations; with a device, only what it had changed.
    public func plan(_ operations: [UInt64], device: String?) throws -> UndoPlan {
        try UndoPlan(UndoneEvents(operations, device: device, reader.index).events, self)
    }

    /// How to reverse what is left of operations that were undone; of those that were undone whole nothing.
    public func rest(of operations: [UInt64]) throws -> [UInt64: UndoPlan] {
        let undone = try UndoneEvents.undone(reader.index)
        let plans = try operations.map { id in
            (id, try UndoPlan(UndoneEvents(restOf: id, undone, reader.index).events, self))
        }
        return Dictionary(plans.filter { !$0.1.isEmpty }) { first, _ in first }
    }

    /// What this device is called, and whatever else a device was called.
    public func deviceNames() throws -> (own: String, all: Set<String>) {
        (try reader.index.ownLabel, try reader.index.deviceNames())
    }
}

/// As it is on the disk now, of which the index may not have heard yet.
extension UndoPlanner: UndoGround {
    public func standing(_ path: DrivePath) throws -> UndoPlan.Standing { try folder.undoStanding(path) }

    public func names(in path: DrivePath) throws -> [FileName] { try folder.readableNames(in: path) }

    public func place(since event: DriveEvent) -> DrivePath? { moves.place(since: event) }

    public func attributes(of path: DrivePath) throws -> Attributes? { try reader.index.row(at: path)?.attributes }

    public func attributes(leftBy event: DriveEvent) -> Attributes? { moves.attributes(leftBy: event) }

    public func mayHave(_ content: ContentHash) throws -> Bool { try kept.mayHave(content) }
}

// To whoever plans an undo and whoever does it, alike.
extension FolderNow {
    func undoStanding(_ path: DrivePath) throws -> UndoPlan.Standing {
        do {
            switch try standing(path) {
            case .nothing: return .nothing
            case .folder: return .folder
            case .content(let hash, _): return .content(hash)
            case .other: return .other
            }
        } catch let error as DriveError where error.remedy == .skip { return .unseen }
    }

    /// Of a folder that may not be listed none: only an empty one is ever removed.
    func readableNames(in path: DrivePath) throws -> [FileName] {
        do { return try names(in: path) } catch let error as DriveError where error.remedy == .skip { return [] }
    }
}
