import DriveCore
import DriveFiles
public import FileCoordination
import Glibc

extension DriveReader {
    /// What ending these would come to, as far as index and disk tell now; changes nothing.
    public func resolution(of conflicts: [Conflict], _ how: ConflictResolution) throws -> [ActOutcome] {
        let plan = try ResolutionPlan(conflicts, how, source())
        var trial = ResolutionTrial(try FolderLook(at: folder.bytes), folder)
        return try plan.resolved.map { resolved in
            let obstacle = try trial.obstacle(resolved)
            return ActOutcome(
                resolved.conflict.shownPath, obstacle ?? "would be \(resolved.intention)", isDone: obstacle == nil)
        }
            + plan.left.map { .left($0.conflict.shownPath, $0.reason) }
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

    private func source() throws -> ResolutionPlan.Source {
        let trash = folder.appending(DriveLayout.state).appending("trash")
        let entries = Dictionary(grouping: try index.trash().filter { $0.hash != nil }) { $0.hash }
        let folder = folder
        let rules = try IgnoreTree(IgnoreKeeper.files(of: index), in: lookingFiles(), index)
        return ResolutionPlan.Source(
            text: { path, hash in Self.text(folder.appending(path: path), hash) },
            ancestor: { hash in
                for entry in entries[hash] ?? [] {
                    if let bytes = Self.text(trash.appending(entry.name), hash) { return bytes }
                }
                return nil
            },
            hiding: { ConflictHiding(of: $0) { rules.ignores($0, isFolder: $1) } })
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
