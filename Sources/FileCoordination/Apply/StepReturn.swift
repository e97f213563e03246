import DriveCore

// What a step took out of its place goes back where people see it: in a trash it would count as given up.
extension DriveParts {
    /// Undoes an exchange.
    func putBack(_ staged: FileName, _ intent: Intent, _ folder: OpenFolder) throws {
        let outgoing = try files.open(.outgoing)
        let outcome = try files.exchange(staged, in: outgoing, with: intent.row.name, in: folder)
        if outcome == .missing {
            _ = try files.move(staged, in: outgoing, to: intent.row.name, in: folder)
        } else if outcome == .done, try !isOurs(staged, intent, in: outgoing) {
            // Somebody wrote into our file, or saved over it, while it had the name.
            try giveBack(staged, from: outgoing, as: intent.row.name, in: folder)
        }
    }

    /// It was edited, or another took its place, in the last moment: it lives. Under another name only if somebody took
    /// its own meanwhile.
    func giveBack(_ staged: FileName, from area: OpenFolder, as name: FileName, in folder: OpenFolder) throws {
        var target = name
        for ordinal in 1..<1_000 {
            if try files.move(staged, in: area, to: target, in: folder) != .occupied { return }
            let label = try state.journal().labels.last?.text ?? "here"
            target = ConflictName.derived(
                from: name, device: label, time: HybridTime(milliseconds: clock.milliseconds()), ordinal: ordinal)
        }
    }

    /// Puts what lies there, if anything does, where the row is.
    func giveBack(_ staged: FileName, _ area: FileArea, _ row: Row) throws {
        var locator = FolderLocator(self)
        guard let (folder, name) = try locator.place(of: row) else { return }
        try giveBack(staged, from: files.open(area), as: name, in: folder)
    }
}
