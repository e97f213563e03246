public import DriveCore
import DriveFiles
public import FileCoordination
import Glibc

extension DriveReader {
    /// What would be said of ending these, a line each; changes nothing.
    public func resolution(of conflicts: [Conflict], _ how: ConflictResolution) throws -> [String] {
        let plan = try ResolutionPlan(conflicts, how, source())
        return plan.resolved.map { "\($0.conflict.shownPath): would be \($0.intention)" }
            + plan.left.map { "\($0.conflict.shownPath): left as it is: \($0.reason)" }
    }

    /// Both sides of a conflict and the text that they come from, made one.
    public func threeWayMerge(of conflict: Conflict) throws -> ThreeWayMerge.Outcome {
        let source = try source()
        guard let copy = conflict.copy, let other = conflict.copySide?.hash, let current = conflict.currentSide?.hash,
            let mine = try source.text(conflict.current, current), let theirs = try source.text(copy, other),
            let base = try conflict.ancestor.flatMap(source.ancestor)
        else {
            throw DriveError(
                .notFound, "no text that both sides come from is known here; compare the two without --three-way",
                path: conflict.current.description)
        }
        return try ThreeWayMerge(labels: ["\(conflict.current)", "before", "\(copy)"])
            .merge(mine, ancestor: base, theirs)
    }

    /// How to reverse operations; with a device, only what it had changed.
    public func undoPlan(_ operations: [UInt64], device: String?) throws -> UndoPlan {
        try UndoPlan(UndoActs.events(operations, device: device, index), look: standing)
    }

    /// As it is on the disk now, of which the index may not have heard yet.
    private func standing(_ path: DrivePath) throws -> UndoPlan.Standing {
        let place = folder.appending(path: path)
        var facts = stat()
        guard place.withPointer({ lstat($0, &facts) }) == 0 else { return .nothing }
        if facts.st_mode & S_IFMT == S_IFDIR { return .folder }
        if let row = try index.row(at: path), let hash = row.hash, row.facts.identity.inode == UInt64(facts.st_ino),
            row.facts.modified.seconds == Int64(facts.st_mtim.tv_sec),
            row.facts.modified.nanoseconds == UInt32(facts.st_mtim.tv_nsec), row.facts.size == UInt64(facts.st_size)
        {
            return .content(hash)
        }
        return (try? CleaningFile(place, contentDigest())).map { .content($0.hash) } ?? .other
    }

    private func source() throws -> ResolutionPlan.Source {
        let trash = folder.appending(DriveLayout.state).appending("trash")
        let entries = Dictionary(grouping: try index.trash().filter { $0.hash != nil }) { $0.hash }
        let folder = folder
        return ResolutionPlan.Source(
            text: { path, hash in Self.text(folder.appending(path: path), hash) },
            ancestor: { hash in
                for entry in entries[hash] ?? [] {
                    if let bytes = Self.text(trash.appending(entry.name), hash) { return bytes }
                }
                return nil
            })
    }

    private static func text(_ path: FolderPath, _ hash: ContentHash) -> [UInt8]? {
        guard let bytes = CleaningFile.text(path), ContentHasher.hash(of: bytes) == hash, ConflictClass.isText(bytes)
        else { return nil }
        return bytes
    }
}

extension ResolutionPlan.Resolved {
    /// What is to be done, in a few words.
    fileprivate var intention: String {
        for deed in deeds {
            switch deed {
            case .write: return "merged"
            case .moveOver, .move: return "replaced by its copy"
            case .touch: return conflict.copy == nil ? "kept" : "kept, and its copy made a file of its own"
            case .takeAway(let path, _) where path == conflict.current: return "deleted"
            default: continue
            }
        }
        return "kept, without its copy"
    }
}
