import DriveCore
import Glibc

/// Where a copy is that a cleaning was about to move to the desktop's trash.
enum MoveStanding {
    /// It never left its place, or is there again.
    case back
    case held(in: FolderPath)
    /// Somebody took it out of the trash; what has its name there now is another's.
    case lost(DriveError)
}

extension CleaningRecord.Move {
    /// In the trash of a drive everything is `back`: its index knows better.
    var standing: MoveStanding {
        guard let trash = trashPlace, let identity else { return .back }
        if CleaningFile.Identity(of: trash) == identity { return .held(in: trash) }
        if CleaningFile.Identity(of: place) == identity { return .back }
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

    private func taken(_ trash: FolderPath) -> DriveError {
        DriveError(
            .usage, "something else has its name by now; move that away, or take the copy from \(trash)",
            path: place.description)
    }
}
