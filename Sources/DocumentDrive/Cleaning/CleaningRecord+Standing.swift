import DriveCore

extension CleaningRecord {
    /// What an undo could do now.
    enum Prospect {
        /// Something can come back, or is lost and to be told.
        case open
        /// Nothing can, and something may later.
        case stuck
        /// All is back already.
        case ended
    }

    /// Of a cleaning of a drive its index knows more.
    var prospect: Prospect {
        if drive != nil { return moves.isEmpty ? .ended : .open }
        if moves.contains(where: \.canComeBack) { return .open }
        if !obstacles.isEmpty { return .stuck }
        return losses.isEmpty ? .ended : .open
    }

    /// Why something may come back later, but not now.
    var obstacles: [(path: FolderPath, error: DriveError)] {
        moves.compactMap { move in
            switch move.standing {
            case .held(let trash): move.obstacle(trash).map { (move.place, $0) }
            case .away(let error): (move.place, error)
            case .back, .lost: nil
            }
        }
    }

    var losses: [(path: FolderPath, error: DriveError)] {
        moves.compactMap { move in
            if case .lost(let error) = move.standing { (move.place, error) } else { nil }
        }
    }

    static func look(_ file: FolderPath, _ folder: FolderPath) -> Result<CleaningRecord?, DriveError> {
        do throws(DriveError) {
            return .success(try CleaningRecord(reading: file, of: folder))
        } catch { return .failure(error) }
    }

    /// Forgets what is back of the cleanings of a folder, with the notes in the trash that one that was killed left there, and the
    /// empty list of one that was killed even earlier, of whichever folder it was.
    static func tidy(_ folder: FolderPath) {
        for file in (try? files()) ?? [] {
            guard case .success(let found) = look(file, folder) else { continue }
            if found == nil { LineFile.removeEmpty(file) }
            guard let found, found.drive == nil, var record = (try? found.held(waits: false)).flatMap(\.self) else {
                continue
            }
            record.takeBack { move in
                guard case .back = move.standing else { return false }
                move.removeNote()
                return true
            }
            if record.moves.isEmpty { record.remove() }
        }
    }
}

extension CleaningRecord.Move {
    var canComeBack: Bool {
        if case .held(let trash) = standing { obstacle(trash) == nil } else { false }
    }
}
