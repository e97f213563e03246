import DriveCore
import DriveFiles
import DriveIndex
import Glibc

/// The index as a query that goes on reads it, and the bell that says when to look again.
final class QuerySearch {
    let bell: WriteBell
    private let folder: FolderPath
    private var reader: DriveReader
    /// Which file the index is: a rebuilt one is another.
    private var inode: ino_t
    private var seen: [Int64]

    init(_ folder: FolderPath) throws {
        self.folder = folder
        // Before the first look, so that nothing falls between.
        bell = try WriteBell(
            folder.appending(DriveLayout.state).bytes,
            prefixes: ["index.sqlite", "search.sqlite"].map { Array($0.utf8) })
        inode = Self.inode(of: folder)
        reader = try DriveReader(folder)
        seen = try reader.changeCounts()
    }

    /// Whether somebody wrote since the last look.
    func hasNews() throws -> Bool {
        if Self.inode(of: folder) != inode { return true }
        return try reader.changeCounts() != seen
    }

    /// The next look is at what is there now.
    func take() throws {
        let now = Self.inode(of: folder)
        if now != inode {
            reader = try DriveReader(folder)
            inode = now
        } else {
            try reader.lookForDocuments()
        }
        seen = try reader.changeCounts()
    }

    func results(_ question: MetadataQuery.Question) throws -> [MetadataItem] {
        var query = question.filter
        query.predicate = question.predicate
        let found = try reader.items(query, in: question.scopes).sorted(by: question.order)
        return question.limit.map { Array(found.prefix(max(0, $0))) } ?? found
    }

    private static func inode(of folder: FolderPath) -> ino_t {
        var facts = stat()
        return IndexFile(drive: folder).path.withPointer { stat($0, &facts) } == 0 ? facts.st_ino : 0
    }
}
