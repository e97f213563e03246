import DriveCore
import Foundation
import Glibc

/// Where a copy is that a cleaning was about to move to the desktop's trash.
enum MoveStanding {
    /// It never left its place, or is there again.
    case back
    case held(in: FolderPath)
    /// Nobody can tell: what its trash lies on is not there, or not to be looked at.
    case away(DriveError)
    /// Somebody took it out of the trash; what has its name there now is another's.
    case lost(DriveError)
}

extension CleaningRecord.Move {
    /// In the trash of a drive everything is `back`: its index knows better.
    var standing: MoveStanding {
        guard let trash = trashPlace, let identity else { return .back }
        do throws(DriveError) {
            if let found = try CleaningFile.Identity.look(trash), isOwn(found, identity) { return .held(in: trash) }
            let found = try CleaningFile.Identity.look(place)
            if found?.isSame(as: identity) ?? false { return .back }
            guard isMediumThere(trash, identity) else { return .away(awayError(trash)) }
            if found?.looksSame(as: identity) ?? false { return .back }
        } catch { return .away(error) }
        return .lost(DriveError(.notFound, "the trash has it no more", path: place.description))
    }

    /// Why it cannot come back; nil where nothing is known to be in the way.
    func obstacle(_ trash: FolderPath) -> DriveError? {
        if place.parent.resolved != place.parent {
            return DriveError(
                .usage, "its folder is a link by now; move that away, or take the copy from \(trash)",
                path: place.description)
        }
        return place.exists ? taken(trash) : nil
    }

    /// With its folder, where that is gone; replaces nothing.
    func bringBack(from trash: FolderPath) throws(DriveError) {
        place.parent.makeWithParents(0o755)
        if let obstacle = obstacle(trash) { throw obstacle }
        guard trash.move(to: place) else {
            throw errno == EEXIST ? taken(trash) : SmallFile.failure("bring it back from the trash", place)
        }
        removeNote()
    }

    /// Where the trash has no file for it, and nobody else claimed the name. Who is killed early leaves an empty one.
    func removeNote() {
        guard let notePlace, !(trashPlace?.exists ?? true) else { return }
        if text != nil, let written, !written.isEmpty, !hasOwnNote { return }
        _ = notePlace.withPointer { unlink($0) }
    }

    private var hasOwnNote: Bool { text.map { written == Array($0) } ?? false }

    private var written: [UInt8]? { notePlace.flatMap { (try? SmallFile.read($0)).flatMap(\.self) } }

    private func isOwn(_ found: CleaningFile.Identity, _ identity: CleaningFile.Identity) -> Bool {
        found.isSame(as: identity) || hasOwnNote
    }

    private func isMediumThere(_ trash: FolderPath, _ identity: CleaningFile.Identity) -> Bool {
        // A mount point may lie on the file system whose folder is mounted there (a bind mount, eCryptfs). Who empties a trash leaves
        // its folders as a rule; the one at home is on no mount of its own.
        let files = trash.parent
        if !files.exists, files.parent != DesktopTrash.home, !DesktopTrash.isMounted(files.parent) { return false }
        if let medium { return TrashMedium(at: trash) == medium }
        // Written down by an older version.
        return CleaningFile.Identity(of: trash.parent.nearest)?.device == identity.device
    }

    /// One for all that lie there.
    private func awayError(_ trash: FolderPath) -> DriveError {
        DriveError(
            .unreachable, "what this trash lies on is not there; mount it, then undo once more",
            path: trash.parent.parent.description)
    }

    private func taken(_ trash: FolderPath) -> DriveError {
        DriveError(
            .usage, "something else has its name by now; move that away, or take the copy from \(trash)",
            path: place.description)
    }
}
