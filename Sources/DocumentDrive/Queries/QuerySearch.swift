import DriveCore
import DriveFiles
import DriveIndex
import Glibc

/// The index as a query that goes on reads it, and the bell that says when to look again.
final class QuerySearch {
    let bell: WriteBell
    private let folder: FolderPath
    private let replica: String?
    /// Which folder the drive's own one is: a drive made anew in its place, or a copy, has another.
    private let place: StateFolder?
    private var reader: DriveReader
    /// Which file the index is: a rebuilt one is another.
    private var inode: ino_t
    private var seen: [Int64]

    init(_ folder: FolderPath) throws {
        self.folder = folder
        // Before the first look, so that nothing falls between.
        bell = try WriteBell(
            folder.appending(DriveLayout.state).bytes,
            prefixes: ["index.sqlite", "search.sqlite"].map { Array($0.utf8) },
            in: folder.resolved.ancestry.map(\.bytes))
        place = StateFolder(of: folder)
        replica = try Drive.replica(of: folder)
        inode = Self.inode(of: folder)
        reader = try DriveReader(folder, isLasting: true)
        seen = try reader.changeCounts()
    }

    /// Whether somebody wrote since the last look. Throws where the drive is not here any more.
    func hasNews() throws -> Bool {
        guard StateFolder(of: folder) == place, try Drive.replica(of: folder) == replica else {
            throw DriveError(
                .identityChanged,
                "the drive that was searched is not here any more: it was moved, deleted or replaced; search again "
                    + "where it is now", path: folder.description)
        }
        let now = Self.inode(of: folder)
        // One that is made anew is gone for a moment.
        if now == 0 { return false }
        return try now != inode || reader.changeCounts() != seen
    }

    /// Throws where the index has gone for good.
    func checkIndex() throws { if Self.inode(of: folder) == 0 { _ = try DriveReader(folder) } }

    /// The next look is at what is there now.
    func take() throws {
        let now = Self.inode(of: folder)
        if now != inode {
            reader = try DriveReader(folder, isLasting: true)
            inode = now
        } else {
            try reader.lookForDocuments()
        }
        seen = try reader.changeCounts()
    }

    func results(_ question: MetadataQuery.Question) throws -> [MetadataItem] {
        var query = question.filter
        query.predicate = question.predicate
        return try reader.items(query, in: question.scopes, by: question.order, limit: question.limit)
    }

    private static func inode(of folder: FolderPath) -> ino_t {
        var facts = stat()
        return IndexFile(drive: folder).path.withPointer { stat($0, &facts) } == 0 ? facts.st_ino : 0
    }
}
