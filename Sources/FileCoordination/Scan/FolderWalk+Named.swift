import DriveCore

extension FolderWalk {
    /// What there is of these names, and the rows that have them. It costs what they cost, however large the folder is.
    func named(
        _ names: Set<FileName>, in open: OpenFolder, _ row: RowID
    ) throws -> LeftFolder.Rest? {
        guard let entries = try entries(names, in: open) else { return nil }
        let known = RowsByName(try names.sorted().flatMap { try rows.glances(in: row, named: $0) })
        return LeftFolder.Rest(folder: open.identity, entries: entries[...], known: known, isNamed: true)
    }

    /// Nil where one cannot be looked at, which is told by who compares all of the folder.
    private func entries(_ names: Set<FileName>, in open: OpenFolder) throws -> [FolderEntry]? {
        var entries: [FolderEntry] = []
        for name in names.sorted() {
            do {
                if let facts = try files.look(at: name, in: open) {
                    entries.append(FolderEntry(name: name, kind: facts.kind, inode: facts.identity.inode))
                }
            } catch {
                guard error.remedy == .skip else { throw error }
                return nil
            }
        }
        return entries
    }
}
