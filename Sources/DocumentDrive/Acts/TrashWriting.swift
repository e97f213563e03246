import DriveCore
import FileCoordination

/// What programs go on writing into files that lie in the trash by now: nobody else has it, so it is not old yet.
struct TrashWriting {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    /// Whether an entry whose time is over stays: as long as a program has it open for writing, and, where it was written to
    /// since it came, for as long again from now on.
    func keeps(_ entry: TrashEntry) throws -> Bool {
        let trash = try parts.files.open(.trash)
        guard let facts = try parts.files.look(at: entry.name, in: trash) else { return false }
        if facts.kind == .folder { return try keepsFolder(entry, in: trash) }
        if parts.files.hasWriter(entry.name, in: trash) { return true }
        guard let now = try written(entry, facts) else { return false }
        try keepAnew(now)
        return true
    }

    /// As it is by now; nil where nobody wrote into it.
    private func written(_ entry: TrashEntry, _ facts: FileFacts) throws -> TrashEntry? {
        guard facts.kind == .file, facts.isWritten(since: entry) else { return nil }
        var now = entry
        (now.size, now.time) = (facts.size, max(entry.time, facts.modified.millisecondsSince1970))
        // What cannot be read is told by its date.
        guard let hash = entry.hash,
            let found = try? parts.files.contentHash(of: entry.name, in: parts.files.open(.trash))
        else { return facts.size != entry.size || isPast(facts) ? now : nil }
        now.hash = found
        return found == hash ? nil : now
    }

    /// One of the files in it is open, or was written since.
    private func keepsFolder(_ entry: TrashEntry, in trash: OpenFolder) throws -> Bool {
        var newest = entry.time
        var left = [DrivePath([entry.name])]
        while let path = left.popLast() {
            guard let folder = try parts.files.open(path: path, in: trash) else { continue }
            for below in try parts.files.list(folder) {
                guard let facts = try parts.files.look(at: below.name, in: folder) else { continue }
                if facts.kind == .folder { left.append(path.appending(below.name)) }
                guard facts.kind == .file else { continue }
                if parts.files.hasWriter(below.name, in: folder) { return true }
                if isPast(facts) { newest = max(newest, facts.modified.millisecondsSince1970) }
            }
        }
        guard newest > entry.time else { return false }
        var now = entry
        now.time = newest
        try keepAnew(now)
        return true
    }

    /// A date to come tells nothing of when it was written.
    private func isPast(_ facts: FileFacts) -> Bool {
        facts.modified.millisecondsSince1970 <= parts.clock.milliseconds()
    }

    /// With a date of years to come what is written later would not be seen.
    private func keepAnew(_ entry: TrashEntry) throws {
        var entry = entry
        entry.time = min(entry.time, parts.clock.milliseconds())
        try parts.state.addTrash(entry)
    }
}
