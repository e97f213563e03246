import DriveCore
import DriveFiles
import FileCoordination

/// Looks at what deeds expect to find, which may be ahead of the last pass; changes nothing.
struct ResolutionTrial {
    private let look: FolderLook
    private let folder: FolderPath
    /// What earlier deeds would have left.
    private var planned: [DrivePath: ContentHash] = [:]

    init(_ look: FolderLook, _ folder: FolderPath) { (self.look, self.folder) = (look, folder) }

    /// Why it would not be ended; nil where it would.
    mutating func obstacle(_ resolved: ResolutionPlan.Resolved) throws -> String? {
        for deed in resolved.deeds where try !isDone(deed) {
            for (path, hash) in deed.expectations {
                guard let obstacle = try obstacle(path, hash, resolved.conflict) else { continue }
                return resolved.words(obstacle, of: deed)
            }
        }
        for deed in resolved.deeds {
            switch deed {
            case .moveOver(_, let hash, let path, _): planned[path] = hash
            case .write(let bytes, let path, _): planned[path] = ContentHasher.hash(of: bytes)
            default: break
            }
        }
        return nil
    }

    /// The copy has the file's name already.
    private func isDone(_ deed: Deed) throws -> Bool {
        guard case .moveOver(let from, let hash, let to, _) = deed, planned[to] == nil, try look.facts(of: from) == nil
        else { return false }
        return try CleaningFile(folder.appending(path: to))?.hash == hash
    }

    /// A file that looks as it was recorded is not read.
    private func obstacle(_ path: DrivePath, _ hash: ContentHash?, _ conflict: Conflict) throws -> String? {
        if let planned = planned[path] { return hash == nil || planned == hash ? nil : DeedRunner.hasChanged }
        guard let facts = try look.facts(of: path) else { return DeedRunner.isGone }
        guard let hash else { return nil }
        let side = path == conflict.copy ? conflict.copySide : conflict.currentSide
        if let side, side.hash == hash, facts.looksUnchanged(since: side.facts) { return nil }
        guard let file = try? CleaningFile(folder.appending(path: path)) else { return nil }
        return file.hash == hash ? nil : DeedRunner.hasChanged
    }
}

extension Deed {
    /// What has to be at which path, so that it is done; nil where that may be anything.
    fileprivate var expectations: [(DrivePath, ContentHash?)] {
        switch self {
        case .expect(let path, let hash): [(path, hash)]
        case .takeAway(let path, let hash): [(path, hash)]
        case .moveOver(let from, let hash, let to, let replaced): [(from, hash), (to, replaced)]
        case .write(_, let path, let replaced): [(path, replaced)]
        case .touch(let path): [(path, nil)]
        default: []
        }
    }
}
