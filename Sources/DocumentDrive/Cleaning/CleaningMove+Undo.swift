import DriveCore
import DriveFiles
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
        do throws(DriveError) {
            _ = try openedFolder(trash)
            return nil
        } catch { return error }
    }

    /// Why it does not come back, now or for good.
    var trouble: DriveError? {
        switch standing {
        case .held(let trash): obstacle(trash)
        case .away(let error), .lost(let error): error
        case .back: nil
        }
    }

    /// With its folder, where that is gone; replaces nothing, and goes through no link.
    func bringBack(from trash: FolderPath) throws(DriveError) {
        var folder = try openedFolder(trash)
        do throws(LinklessFolder.Obstacle) { try folder.make(0o755) } catch { throw inTheWay(error, trash) }
        let code = folder.take(trash.lastName, from: trash.parent.bytes, as: place.lastName)
        switch code {
        case 0: removeNote()
        case EEXIST: throw taken(trash)
        case EXDEV: throw elsewhere(trash)
        default: throw failure(code, place)
        }
    }

    /// The one that it comes back to, as far as that is there, where nothing is in the way.
    private func openedFolder(_ trash: FolderPath) throws(DriveError) -> LinklessFolder {
        let folder: LinklessFolder
        do throws(LinklessFolder.Obstacle) {
            folder = try LinklessFolder(place.parent.bytes)
        } catch { throw inTheWay(error, trash) }
        if folder.has(place.lastName) { throw taken(trash) }
        if !folder.isOnVolume(of: trash.parent.bytes) { throw elsewhere(trash) }
        if let found = folder.obstruction(to: place.lastName) { throw inTheWay(found, trash) }
        if trash.parent.withPointer({ access($0, W_OK | X_OK) }) != 0 { throw failure(errno, trash.parent) }
        return folder
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

    private func inTheWay(_ obstacle: LinklessFolder.Obstacle, _ trash: FolderPath) -> DriveError {
        switch obstacle {
        case .link(let path): inTheWay("a link", FolderPath(path), trash)
        case .file(let path): inTheWay("a file", FolderPath(path), trash)
        case .system(let code, let path): failure(code, FolderPath(path))
        }
    }

    private func inTheWay(_ what: String, _ found: FolderPath, _ trash: FolderPath) -> DriveError {
        let folder = found == place.parent ? "its folder" : "a folder above it"
        return DriveError(
            .usage, "\(folder) is \(what) by now; move \(found.shellText) away, or take the copy from \(trash)",
            path: place.description)
    }

    private func elsewhere(_ trash: FolderPath) -> DriveError {
        DriveError(
            .usage, "its folder is on another file system than the trash by now; take the copy from \(trash)",
            path: place.description)
    }

    private func failure(_ code: Int32, _ path: FolderPath) -> DriveError {
        errno = code
        return SmallFile.failure("bring it back from the trash", path)
    }

    private func taken(_ trash: FolderPath) -> DriveError {
        DriveError(
            .usage, "something else has its name by now; move that away, or take the copy from \(trash)",
            path: place.description)
    }
}

extension FolderPath {
    /// That of a copy, which the root is not.
    fileprivate var lastName: FileName { name ?? FileName("") }
}
