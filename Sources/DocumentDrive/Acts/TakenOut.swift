import DriveCore
import FileCoordination

/// What an act has taken out of the folder, in `.outgoing` under the name that it is to have in the trash.
///
/// Somebody may have saved it between the look at it and the rename. So it is looked at once more where nobody finds it by
/// name, and only what was expected goes to the trash.
struct TakenOut {
    let parts: DriveParts
    let name: FileName

    /// True where it came to lie in the trash. Else, and where reading it fails, `back` has put it where people see it.
    func goToTrash(ifItHas hash: ContentHash, _ known: FileFacts?, orElse back: () throws -> Void) throws -> Bool {
        do { if try has(hash, known), try moveToTrash() { return true } } catch {
            try? back()
            throw error
        }
        try back()
        return false
    }

    /// What cannot be read has the bytes if it is the very file that was known to have them, and looks as it did.
    private func has(_ hash: ContentHash, _ known: FileFacts?) throws -> Bool {
        let outgoing = try parts.files.open(.outgoing)
        do { return try parts.files.contentHash(of: name, in: outgoing) == hash } catch {
            guard error.remedy == .skip, try parts.isAsKnown(name, in: outgoing, known) else { throw error }
            return true
        }
    }

    private func moveToTrash() throws -> Bool {
        try parts.files.move(name, in: parts.files.open(.outgoing), to: name, in: parts.files.open(.trash)) == .done
    }

    /// Under another name if somebody took its own meanwhile; in a new folder of the path if its own was removed.
    func giveBack(as target: FileName, in folder: OpenFolder, at path: DrivePath) throws {
        try parts.giveBack(taken: name, as: target, in: folder)
        guard try parts.files.look(at: name, in: parts.files.open(.outgoing)) != nil,
            let anew = try parts.files.makeFolder(
                at: path.parent, entropy: parts.entropy, parts.closedFolders, { _ in })
        else { return }
        try parts.giveBack(taken: name, as: target, in: anew)
    }
}

extension Row {
    /// The facts of a file of which the index knows that it has these bytes; nil where it does not.
    static func known(_ row: Row?, _ facts: FileFacts, _ hash: ContentHash) -> FileFacts? {
        guard let row, row.hash == hash, facts.looksUnchanged(since: row.facts) else { return nil }
        return facts
    }
}
