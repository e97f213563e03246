import DriveCore
public import FileCoordination

/// Resolves conflicts the way a person would with a file manager, so that every device understands it; what loses goes
/// to the trash.
struct ConflictActs {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    func resolve(_ ids: [String], _ keep: ConflictKeeping) throws -> [String] {
        let all = try Conflict.all(parts.state)
        return try ids.map { id in
            guard let conflict = all.first(where: { $0.id == id }) else {
                throw DriveError(.usage, "no conflict has this id; `docdrive conflicts ls` lists them", path: id)
            }
            return try resolve(conflict, conflict.side(keep))
        }
    }

    private func resolve(_ conflict: Conflict, _ keep: ConflictKeeping) throws -> String {
        switch keep {
        case .current:
            guard try parts.moveToTrash(conflict.copy, .resolved) else { throw gone(conflict.copy) }
            return "\(conflict.current): kept; the copy is in the trash"
        case .copy:
            try putInPlace(conflict)
            return "\(conflict.current): the copy took its place; what it was is in the trash"
        case .both, .newest, .largest:
            try touch(conflict.copy)
            return "\(conflict.copy): is a file of its own now"
        }
    }

    /// The copy under the file's own name: to everybody else an edit of the file.
    private func putInPlace(_ conflict: Conflict) throws {
        guard let from = conflict.copy.name, let to = conflict.current.name,
            let folder = try parts.files.folder(at: conflict.copy.parent),
            try parts.files.look(at: from, in: folder) != nil
        else { throw gone(conflict.copy) }
        _ = try parts.moveToTrash(conflict.current, .resolved)
        guard try parts.files.move(from, in: folder, to: to, in: folder) == .done else { throw gone(conflict.copy) }
    }

    /// A change of its time makes a copy an item of its own under the name that it has (`merge.md`, section 6).
    private func touch(_ path: DrivePath) throws {
        guard let name = path.name, let folder = try parts.files.folder(at: path.parent),
            let facts = try parts.files.look(at: name, in: folder)
        else { throw gone(path) }
        let now = parts.clock.milliseconds()
        var attributes = Attributes(
            isExecutable: facts.isExecutable,
            modified: FileTime(seconds: Int64(now / 1000), nanoseconds: UInt32(now % 1000) * 1_000_000))
        attributes.extended = try parts.files.extendedAttributes(of: name, in: folder)
        guard try parts.files.setAttributes(attributes, of: name, in: folder, expecting: facts.identity) else {
            throw gone(path)
        }
    }

    private func gone(_ path: DrivePath) -> DriveError {
        DriveError(.temporary, "the file is not as it was; run `docdrive sync` and look again", path: path.description)
    }
}

extension Conflict {
    /// Newest and largest, as one of the two sides.
    public func side(_ keep: ConflictKeeping) -> ConflictKeeping {
        guard keep == .newest || keep == .largest else { return keep }
        guard let currentFacts else { return .copy }
        guard let copyFacts else { return .current }
        let isCopy =
            keep == .newest
            ? copyFacts.modified > currentFacts.modified : copyFacts.size > currentFacts.size
        return isCopy ? .copy : .current
    }
}
