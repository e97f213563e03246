import DriveCore

// What may not be looked at, and what rules a folder brings along.
extension FolderWalk {
    /// Silence is not absence: of a folder that cannot be listed nothing is loose.
    mutating func listing(_ open: OpenFolder, _ path: DrivePath) throws -> [FolderEntry]? {
        do {
            var entries = try files.list(open)
            entries.sort { $0.name < $1.name }
            return entries
        } catch {
            guard error.remedy == .skip else { throw error }
            note(error, path)
            return nil
        }
    }

    enum Opened {
        case folder(OpenFolder), absent
        /// It cannot be opened now, which is noted. Silence is not absence.
        case closed
    }

    mutating func opened(_ name: FileName, in folder: OpenFolder, _ path: DrivePath) throws -> Opened {
        do {
            if let open = try files.open(name, in: folder) { return .folder(open) }
            return .absent
        } catch {
            guard error.remedy == .skip else { throw error }
            note(error, path)
            return .closed
        }
    }

    mutating func note(_ error: DriveError, _ path: DrivePath) {
        problems.append(FoundProblem(path, error.message, Cause(reading: error)))
    }

    /// What a folder's own rules say counts for all in it, also where they come together. Whether there are others now.
    func meetRules(among entries: ArraySlice<FolderEntry>, in open: OpenFolder, _ path: DrivePath) throws
        -> Bool
    {
        // A link counts too, and not every file system tells what it lists.
        guard entries.contains(where: { $0.name == IgnoreRules.fileName && $0.kind != .folder }) else { return false }
        return try meetsIgnoreFile(files, open, path)
    }
}
