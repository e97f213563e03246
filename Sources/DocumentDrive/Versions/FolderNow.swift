import DriveCore
import FileCoordination

/// What the folder holds now, of which the index may not have heard yet. A file is read where it is not as its row has it.
struct FolderNow {
    let files: any FileStore
    let state: any DriveState

    enum Standing: Hashable {
        case nothing, folder
        /// A file or a link.
        case content(ContentHash, FileFacts)
        /// Something that is no file, folder or link, or that cannot be read.
        case other
    }

    func standing(_ path: DrivePath) throws -> Standing {
        guard let name = path.name else { return .folder }
        guard let folder = try files.open(path: path.parent), let facts = try files.look(at: name, in: folder) else {
            return .nothing
        }
        switch facts.kind {
        case .folder: return .folder
        case .other: return .other
        case .file, .link:
            if let row = try state.row(at: path), let hash = row.hash, facts.looksUnchanged(since: row.facts) {
                return .content(hash, facts)
            }
            return try files.contentHash(of: name, in: folder).map { .content($0, facts) } ?? .other
        }
    }

    /// As `standing`; what may not be looked at or read is `other`.
    func readableStanding(_ path: DrivePath) throws -> Standing {
        do { return try standing(path) } catch let error as DriveError where error.remedy == .skip { return .other }
    }

    /// What is in a folder; none where it is not there.
    func names(in path: DrivePath) throws -> [FileName] {
        guard let folder = try files.open(path: path) else { return [] }
        return try files.list(folder).map(\.name)
    }

    /// Those that nothing has now. What may not be looked at counts as there, and `unseen` hears why, once for each folder that
    /// cannot be opened.
    func missing(of paths: [DrivePath], unseen: (DriveError) -> Void) throws -> [DrivePath] {
        var last: (path: DrivePath, folder: OpenFolder?, isUnseen: Bool)?
        return try paths.filter { path in
            guard let name = path.name else { return false }
            do {
                if last?.path != path.parent {
                    last = (path.parent, nil, true)
                    last = (path.parent, try files.open(path: path.parent), false)
                }
                guard let last, !last.isUnseen else { return false }
                return try last.folder.map { try files.look(at: name, in: $0) == nil } ?? true
            } catch let error as DriveError where error.remedy == .skip {
                unseen(error)
                return false
            }
        }
    }
}

extension DriveReader {
    func folderNow() throws -> FolderNow { FolderNow(files: try lookingFiles(), state: index) }
}
