import DriveCore
import DriveIndex

/// The index that makes room for a new one.
///
/// Only a damaged one counts as one that tells nothing. Whatever else keeps it from being read, a newer version of it first of all, is
/// thrown while nothing is changed yet: all that it knows would be gone.
final class OldIndex {
    let file: IndexFile
    /// Nobody else keeps it: while it is open its files are not to go.
    private(set) var index: DriveIndex?
    var isDamaged = false

    init(file: IndexFile) { self.file = file }

    func open() throws {
        guard file.exists else { return }
        do { index = try file.openForReading() } catch let error as DriveError where error.kind == .corrupt {
            isDamaged = true
        }
    }

    func trash() throws -> [TrashEntry] {
        do { return try index?.trash() ?? [] } catch let error as DriveError where error.kind == .corrupt {
            isDamaged = true
            return []
        }
    }

    /// A damaged one stays beside it, for whoever can read more of it. Returns where.
    @discardableResult
    func goAway() throws -> FolderPath? {
        index = nil
        if isDamaged { return try file.moveAside() }
        try file.discard()
        return nil
    }
}
