import DriveCore

/// What came out of the folder, against what was to come out.
enum TakenOut: Hashable {
    case expected
    /// Its bytes cannot be read; all else says that it is what was expected.
    case unreadable
    case other
}

extension DriveParts {
    /// Looks at what lies in `.outgoing`. `known` is the file as the index has it: where its bytes cannot be read, that is all
    /// there is to go by.
    func takenOut(_ name: FileName, _ hash: ContentHash?, known: FileFacts?) throws -> TakenOut {
        let outgoing = try files.open(.outgoing)
        do throws(DriveError) {
            guard let found = try files.contentHash(of: name, in: outgoing) else { return .other }
            return found == hash ? .expected : .other
        } catch {
            guard error.remedy == .skip else { throw error }
            return try isAsKnown(name, in: outgoing, known) ? .unreadable : .other
        }
    }

    /// Whether it is the very file that was known, and looks as it did: all that can be said of bytes that nobody can read.
    package func isAsKnown(_ name: FileName, in folder: OpenFolder, _ known: FileFacts?) throws(DriveError) -> Bool {
        guard let known, let facts = try files.look(at: name, in: folder) else { return false }
        return facts.identity == known.identity && facts.isDated(as: known)
    }

    /// Throws where it may not be read: once it is taken out, nobody could say what it is.
    func requireReadable(_ name: FileName, in folder: OpenFolder) throws {
        _ = try files.readUndated(name, in: folder)
    }
}

extension TrashEntry {
    /// Of what could not be read: nothing says that these are the bytes that it had.
    var unread: TrashEntry {
        var entry = self
        entry.hash = nil
        return entry
    }
}
