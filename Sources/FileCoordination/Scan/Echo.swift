import DriveCore

/// Tells whether what a watcher saw touched is just as it was recorded: what this device has placed comes back as an event, and
/// programs make and remove files that nobody has to hear of.
///
/// A scan would find nothing either, and takes several times as long to say so. Where there is any doubt it is no echo.
struct Echo {
    let parts: DriveParts

    func isAll(of touched: TouchedPaths) throws -> Bool {
        guard try isUsual(touched) else { return false }
        for folder in touched.folders {
            guard let names = touched.names(in: folder), try areKnown(names, in: folder) else { return false }
        }
        return true
    }

    /// A scan has nothing to do but to look at a few names.
    private func isUsual(_ touched: TouchedPaths) throws -> Bool {
        let count = touched.folders.reduce(0) { $0 + (touched.names(in: $1)?.count ?? Self.most) }
        guard count < Self.most, try parts.state.dirt().isEmpty, try parts.state.parkedRows().isEmpty else {
            return false
        }
        return try !StandingMemory(parts.state).obstacles().contains { touched.covers($0.path) }
    }

    private func areKnown(_ names: Set<FileName>, in path: DrivePath) throws -> Bool {
        // Of rules it is read what they say.
        guard !names.contains(IgnoreRules.fileName) else { return false }
        do {
            guard let open = try parts.files.open(path: path), !parts.files.foldsCase(open),
                let row = try parts.state.folder(open, at: path)
            else { return false }
            return try names.allSatisfy { try isKnown($0, in: open, row.id, path.appending($0)) }
        } catch let error as DriveError where error.remedy == .skip { return false }
    }

    private func isKnown(_ name: FileName, in open: OpenFolder, _ folder: RowID, _ path: DrivePath) throws -> Bool {
        let rows = try parts.state.glances(in: folder, named: name)
        guard let facts = try parts.files.look(at: name, in: open) else { return rows.isEmpty }
        if !rows.contains(where: \.isDerived), parts.options.ignores(path, facts.kind == .folder) { return true }
        // What is in a folder may be another without a word of it.
        guard rows.count == 1, facts.kind != .folder, !rows[0].isHeld else { return false }
        return rows[0].facts.looksUnchanged(since: facts)
    }

    /// Names of which one might think that a scan does better.
    private static let most = 32
}
