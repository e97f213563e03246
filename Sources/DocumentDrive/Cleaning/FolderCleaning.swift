public import DriveCore
import DriveFiles
import FileCoordination
import Glibc

/// What there is to clean in a folder, of a drive or of none: the conflict copies of every program.
public struct FolderCleaning: Sendable {
    public let folder: FolderPath
    /// What was found of each copy, beneath the folder.
    public let verdicts: [CleaningPlan.Verdict]
    /// The copies that add nothing and were last changed before the limit.
    public let removals: [CleaningPlan.Removal]
    /// Drives beneath the folder, which were left alone: they have trashes of their own.
    public let drives: [DrivePath]
    /// Stores beneath the folder, which were left alone with all that lies beside their objects.
    public let stores: [DrivePath]
    /// Other file systems beneath the folder, which were left alone.
    public let mounts: [DrivePath]
    /// Folders that could not be read.
    public let unreadable: [DrivePath]
    /// Mounts beneath the folder that do not answer, as those whose server is gone.
    public let silentMounts: [DrivePath]
    /// Whether texts go whose lines are all in their originals.
    public let takesContained: Bool
    private let sizes: [DrivePath: UInt64]

    /// Reads the files that may be equal, or texts of which one may have all of the other; changes nothing.
    public init(
        _ folder: FolderPath, schemes: [ConflictScheme], takesContained: Bool = false, olderThan seconds: Double? = nil
    ) throws {
        self.folder = folder
        self.takesContained = takesContained
        let ground = try CleaningGround(folder)
        (sizes, unreadable) = (ground.sizes, ground.unreadable)
        (drives, stores, mounts, silentMounts) = (ground.drives, ground.stores, ground.mounts, ground.silentMounts)
        let spellings = NameSpellings(sizes.keys)
        let candidates = sizes.keys.sorted().compactMap { path in
            ConflictCandidate(path, schemes: schemes) { ground.sizes[$0] != nil ? $0 : spellings.only(like: $0) }
        }
        var contents = Self.contents(of: candidates, ground.sizes, in: folder)
        contents.ignored = try CleaningRules(for: folder, sizes.keys)?.hidden(of: candidates) ?? []
        let plan = CleaningPlan(candidates, contents, takesContained: takesContained)
        verdicts = plan.verdicts
        // No file is older than a hundred thousand years.
        let limit = seconds.map { Int64(SystemClock().milliseconds() / 1000) - Int64(min($0, 3e12)) }
        removals = plan.removals.filter { removal in
            limit.map { Self.modified(folder.appending(path: removal.candidate.path)) <= $0 } ?? true
        }
    }

    public func size(of path: DrivePath) -> UInt64 { sizes[path] ?? 0 }

    private static func contents(
        of candidates: [ConflictCandidate], _ sizes: [DrivePath: UInt64], in folder: FolderPath
    ) -> CleaningPlan.Contents {
        var files: [DrivePath: CleaningFile] = [:]
        var contents = CleaningPlan.Contents(sizes: sizes, hashes: [:]) { copy, original in
            do throws(DriveError) {
                let one = try CleaningFile.readText(folder.appending(path: copy))
                let other = try CleaningFile.readText(folder.appending(path: original))
                guard let one, let other else { return .unknown }
                return LineContainment(one, other)
            } catch { return nil }
        }
        for path in CleaningPlan.pathsToHash(candidates, sizes: sizes) {
            do {
                let file = try CleaningFile(folder.appending(path: path))
                files[path] = file
                contents.hashes[path] = file?.hash
                // Somebody was faster, perhaps another cleaning.
                if file == nil { contents.sizes[path] = nil }
            } catch { contents.unreadable.insert(path) }
        }
        for candidate in candidates where sizes[candidate.family] != nil {
            for path in [candidate.path, candidate.family] where files[path] == nil {
                if !CleaningFile.mayBeRead(folder.appending(path: path)) { contents.unreadable.insert(path) }
            }
            guard let file = files[candidate.path], let original = files[candidate.family], file.isSame(as: original)
            else { continue }
            contents.linked.insert(candidate.path)
        }
        return contents
    }

    private static func modified(_ path: FolderPath) -> Int64 {
        var facts = stat()
        return path.withPointer { lstat($0, &facts) } == 0 ? Int64(facts.st_mtim.tv_sec) : .max
    }
}

extension FolderCleaning {
    /// For a drive that the folder is, or lies in.
    func copies(inDrive drive: FolderPath) throws -> [RedundantCopy] {
        let prefix = DrivePath(bytes: folder.resolved.bytes.dropFirst(drive.resolved.bytes.count))
        return removals.map { removal in
            RedundantCopy(
                path: DrivePath(prefix.components + removal.candidate.path.components).bytes,
                kept: DrivePath(prefix.components + removal.kept.components).bytes, isIdentical: removal.isIdentical)
        }
    }

    /// To the trash of the person's desktop. Each is compared once more; what became of it, in the order of `removals`.
    public func moveToDesktopTrash() throws -> [CleaningOutcome] {
        CleaningRecord.tidy(folder)
        var mover = TrashMover(record: try CleaningRecord(of: folder))
        defer { if mover.record.moves.isEmpty { mover.record.remove() } }
        return removals.map { removal in
            do throws(DriveError) { return try move(removal, &mover) } catch { return .left(error) }
        }
    }

    private func move(_ removal: CleaningPlan.Removal, _ mover: inout TrashMover) throws(DriveError) -> CleaningOutcome
    {
        let path = folder.appending(path: removal.candidate.path)
        let kept = folder.appending(path: removal.kept)
        guard let file = try CleaningFile(path) else { return .gone }
        // A second name of another copy goes as any copy with its bytes does: that name stays, and the bytes with it.
        guard let other = try CleaningFile(kept),
            !file.isSame(as: other) || removal.kept != removal.candidate.family,
            try removal.isIdentical ? file.hash == other.hash : Self.isContained(path, kept)
        else { return .changed(path) }
        return try mover.take(path, expecting: file) ? .removed : .gone
    }

    /// Files of one folder go to one trash.
    private struct TrashMover {
        var record: CleaningRecord
        private var last: (folder: FolderPath, trash: DesktopTrash)?

        init(record: CleaningRecord) { self.record = record }

        mutating func take(_ path: FolderPath, expecting file: CleaningFile) throws(DriveError) -> Bool {
            let folder = path.parent
            let trash: DesktopTrash
            if let last, last.folder == folder { trash = last.trash } else { trash = try DesktopTrash(for: path) }
            last = (folder, trash)
            return try trash.take(path, expecting: file, &record)
        }
    }

    private static func isContained(_ copy: FolderPath, _ original: FolderPath) throws(DriveError) -> Bool {
        guard let one = try CleaningFile.readText(copy), let other = try CleaningFile.readText(original) else {
            return false
        }
        return one == other || LineContainment(one, other) == .firstInSecond
    }
}
