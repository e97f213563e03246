import DriveCore
import FileCoordination

// A program that had a file open when that went to the trash may go on writing into it.
extension FileStore {
    /// An entry of the trash as its file is by now; nil where there is none. Reads the file only where it was written to since.
    func asItIs(_ entry: TrashEntry) throws -> (entry: TrashEntry, facts: FileFacts)? {
        let trash = try open(.trash)
        guard let facts = try look(at: entry.name, in: trash) else { return nil }
        guard entry.hash != nil, facts.kind == .file, facts.isWritten(since: entry) else { return (entry, facts) }
        let hash = try contentHash(of: entry.name, in: trash)
        if hash == entry.hash { return (entry, facts) }
        var entry = entry
        (entry.hash, entry.size) = (hash, facts.size)
        entry.time = max(entry.time, facts.modified.millisecondsSince1970)
        return (entry, facts)
    }
}

extension FileFacts {
    /// Going there leaves a file's date as it is, and that is of before, but for clocks that were set and times that are counted
    /// in steps of up to two seconds (FAT).
    func isWritten(since entry: TrashEntry) -> Bool {
        size != entry.size || modified.millisecondsSince1970 > entry.time.addingReportingOverflow(2_000).partialValue
    }
}
