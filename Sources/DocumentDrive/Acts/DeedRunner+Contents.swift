import DriveCore
import FileCoordination

// Contents.
extension DeedRunner {
    mutating func putBack(
        _ hash: ContentHash, at path: DrivePath, replacing old: ContentHash?, _ place: Int
    ) async throws -> String? {
        if let old { return try replace(at: path, await takeStaged(place), old, place) }
        guard let folder = try folders.make(path.parent) else { return Self.folderIsTaken }
        if let entry = finder.takeTrashed(hash, from: path) {
            try giveAttributes(outcomes[place].attributes, toTrashed: entry)
            guard let free = try placeFreely(entry.name, from: .trash, at: path, in: folder) else {
                return Self.noFreeName
            }
            ending.emptied.append(entry.name)
            outcomes[place].path = free
        } else {
            let staged = try await takeStaged(place)
            // Nothing tells whose it was: it is for who shares the folder, as what arrives there.
            if !staged.hasMetadata { parts.files.adoptSurroundings(of: folder, to: staged.name) }
            guard let free = try placeFreely(staged.name, from: .incoming, at: path, in: folder) else {
                try parts.files.discard(staged.name, in: .incoming)
                return Self.noFreeName
            }
            outcomes[place].path = free
        }
        try notePlaced(hash, place)
        return nil
    }

    /// It may have come there before they changed. What cannot have them comes back with its own.
    private func giveAttributes(_ attributes: Attributes?, toTrashed entry: TrashEntry) throws {
        let trash = try parts.files.open(.trash)
        guard let attributes, let facts = try parts.files.look(at: entry.name, in: trash) else { return }
        do {
            _ = try parts.files.setAttributes(attributes, of: entry.name, in: trash, expecting: facts.identity)
        } catch {
            if error.kind != .permissionDenied { throw error }
        }
    }

    mutating func takeOut(_ name: FileName, to path: DrivePath, _ place: Int) throws -> String? {
        guard let facts = try parts.files.look(at: name, in: parts.files.open(.trash)) else {
            return try lost(name)
        }
        guard let folder = try folders.make(path.parent) else { return Self.folderIsTaken }
        let hash = facts.kind == .folder ? nil : try parts.files.contentHash(of: name, in: parts.files.open(.trash))
        guard let free = try placeFreely(name, from: .trash, at: path, in: folder) else { return Self.noFreeName }
        ending.emptied.append(name)
        outcomes[place].path = free
        try notePlaced(hash, place)
        return nil
    }

    private func lost(_ name: FileName) throws -> String {
        let message = "the trash has lost this file"
        guard let hash = try parts.state.trash().first(where: { $0.name == name })?.hash,
            let path = try parts.state.first(
                hash: hash,
                { row -> DrivePath? in
                    try row.isParked ? nil : parts.state.path(of: row)
                })
        else { return message }
        return "\(message); \(path) has the same bytes"
    }

    /// A later deed may move it.
    private mutating func notePlaced(_ hash: ContentHash?, _ place: Int) throws {
        let path = outcomes[place].path
        if let hash, let (_, _, facts) = try standing(at: path) { ending.placed[facts.identity] = hash }
        note(.added, path, after: hash)
    }

    /// Under the path's own name, or the next free one.
    func placeFreely(
        _ name: FileName, from area: FileArea, at path: DrivePath, in folder: OpenFolder
    ) throws -> DrivePath? {
        for ordinal in RestoredName.ordinals {
            let free = ordinal == 1 ? path.name ?? name : RestoredName.make(path, ordinal)
            switch try parts.files.move(name, in: parts.files.open(area), to: free, in: folder) {
            case .done: return path.parent.appending(free)
            case .occupied: continue
            case .missing, .impossible: return nil
            }
        }
        return nil
    }

    mutating func takeAway(_ path: DrivePath, _ hash: ContentHash, _ place: Int) throws -> String? {
        guard let (name, folder, facts) = try standing(at: path) else { return Self.isGone }
        let row = try self.row(of: facts, at: path)
        guard try isExpected(row, facts, hash, name, folder) else { return Self.hasChanged }
        let before = try attributes(row, facts, name, folder)
        guard let entry = entries[place],
            try parts.files.move(name, in: folder, to: entry.name, in: parts.files.open(.outgoing)) == .done
        else { return Self.isGone }
        let taken = TakenOut(parts: parts, name: entry.name)
        guard
            try taken.goToTrash(
                ifItHas: hash, Row.known(row, facts, hash),
                orElse: { try taken.giveBack(as: name, in: folder, at: path) })
        else { return Self.hasChanged }
        if let row { ending.gone.insert(row.id) }
        note(.trashed, path, before: hash, attributes: before)
        return nil
    }

    mutating func expect(_ path: DrivePath, _ hash: ContentHash?) throws -> String? {
        guard let (name, folder, facts) = try standing(at: path) else { return Self.isGone }
        guard let hash else { return nil }
        return try isExpected(row(of: facts, at: path), facts, hash, name, folder) ? nil : Self.hasChanged
    }

    mutating func standing(
        at path: DrivePath
    ) throws -> (name: FileName, folder: OpenFolder, facts: FileFacts)? {
        guard let name = path.name, let folder = try folders.open(path.parent),
            let facts = try parts.files.look(at: name, in: folder)
        else { return nil }
        return (name, folder, facts)
    }

    /// By its facts where the index knows them, else by its bytes.
    func isExpected(
        _ row: Row?, _ facts: FileFacts, _ hash: ContentHash, _ name: FileName, _ folder: OpenFolder
    ) throws -> Bool {
        if let row, row.hash == hash, facts.looksUnchanged(since: row.facts) { return true }
        return try parts.files.contentHash(of: name, in: folder) == hash
    }

    func attributes(
        _ row: Row?, _ facts: FileFacts, _ name: FileName, _ folder: OpenFolder
    ) throws -> Attributes {
        if let row, facts.looksUnchanged(since: row.facts) { return row.attributes }
        return try parts.files.attributes(facts, of: name, in: folder)
    }
}
