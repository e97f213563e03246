import DriveCore

// What is known of a folder that goes is written down before: nobody could tell afterwards whether it was closed.
extension DriveParts {
    package var closedFolders: ClosedFolders { ClosedFolders(state, beside: closedNotes) }

    /// Of those that the steps have taken out, all at once: each for itself would wait for the disk.
    func keepClosed(_ intents: [Intent], _ results: [Row?]) throws {
        if closedNotes == nil { return }
        var folders: [(path: DrivePath, permissions: UInt16)] = []
        for (intent, row) in zip(intents, results) where row != nil {
            guard case .removeFolder(let staged) = intent.step else { continue }
            let outgoing = try files.open(.outgoing)
            guard let permissions = files.permissions(of: staged, in: outgoing) else { continue }
            folders.append((try state.path(of: intent.row), permissions))
        }
        try closedFolders.keep(folders)
    }

    /// Of one that is removed outside of the transaction that forgets its step.
    func noteClosed(_ name: FileName, in folder: OpenFolder, at path: DrivePath) throws {
        guard let permissions = files.permissions(of: name, in: folder) else { return }
        let closed = closedFolders
        try closed.keep([(path, permissions)])
        try state.transaction { try closed.note(permissions, at: path) }
    }
}
