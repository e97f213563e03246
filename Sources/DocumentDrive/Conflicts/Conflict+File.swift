import DriveCore
import FileCoordination

extension Conflict {
    /// Of each file all of them, files and conflicts in the order in which they come. One that is named twice counts once.
    static func byFile(_ conflicts: [Conflict]) -> [[Conflict]] {
        var seen: Set<Conflict> = []
        var places: [DrivePath: Int] = [:]
        var result: [[Conflict]] = []
        for conflict in conflicts where seen.insert(conflict).inserted {
            if let place = places[conflict.current] {
                result[place].append(conflict)
            } else {
                places[conflict.current] = result.count
                result.append([conflict])
            }
        }
        return result
    }

    /// Newest and largest, as one of the two sides, whatever other copies the file has. Against a delete they are the file.
    public func side(_ keep: ConflictKeeping) -> ConflictKeeping {
        guard keep == .newest || keep == .largest else { return keep }
        guard let current = currentSide?.facts else { return .copy }
        guard let copy = copySide?.facts else { return .current }
        let isCopy = keep == .newest ? copy.modified > current.modified : copy.size > current.size
        return isCopy ? .copy : .current
    }
}

extension [Conflict] {
    /// Of the file and its copies the newest or largest; nil where that is the file, as it is against a delete. Of what is not
    /// here nothing is known: that stays a conflict with what wins.
    func winner(_ keep: ConflictKeeping) -> Conflict? {
        var best: Conflict?
        for conflict in self where conflict.copySide?.hash != nil {
            var pair = conflict
            if let best { pair.currentSide = best.copySide }
            if pair.side(keep) == .copy { best = conflict }
        }
        return best
    }
}
