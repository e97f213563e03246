public import DriveCore
import DriveFiles
import Glibc

/// Tells what an undo would do; changes nothing.
public struct UndoPlanner {
    private let reader: DriveReader
    private let moves: LaterMoves
    private let kept: KeptContents

    public init(_ reader: DriveReader) throws {
        self.reader = reader
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
    public func standing(_ path: DrivePath) throws -> UndoPlan.Standing {
        let place = reader.folder.appending(path: path)
        var facts = stat()
        guard place.withPointer({ lstat($0, &facts) }) == 0 else { return .nothing }
        if facts.st_mode & S_IFMT == S_IFDIR { return .folder }
        if let row = try reader.index.row(at: path), let hash = row.hash,
            row.facts.identity.inode == UInt64(facts.st_ino), row.facts.size == UInt64(facts.st_size),
            row.facts.modified.seconds == Int64(facts.st_mtim.tv_sec),
            row.facts.modified.nanoseconds == UInt32(facts.st_mtim.tv_nsec)
        {
            return .content(hash)
        }
        return (try? CleaningFile(place, reader.contentDigest())).map { .content($0.hash) } ?? .other
    }

    public func names(in folder: DrivePath) -> [FileName] {
        guard let listing = reader.folder.appending(path: folder).withPointer({ opendir($0) }) else { return [] }
        defer { closedir(listing) }
        var names: [FileName] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(FileName(bytes: name)) }
        }
        return names
    }

    public func place(since event: DriveEvent) -> DrivePath? { moves.place(since: event) }

    public func attributes(of path: DrivePath) throws -> Attributes? { try reader.index.row(at: path)?.attributes }

    public func attributes(leftBy event: DriveEvent) -> Attributes? { moves.attributes(leftBy: event) }

    public func mayHave(_ content: ContentHash) throws -> Bool { try kept.mayHave(content) }
}
