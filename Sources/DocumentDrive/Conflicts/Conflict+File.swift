import DriveCore
import FileCoordination

extension Conflict {
    /// Of each file all of them, files and conflicts in the order in which they come.
    static func byFile(_ conflicts: [Conflict]) -> [[Conflict]] {
        var places: [DrivePath: Int] = [:]
        var result: [[Conflict]] = []
        for conflict in conflicts {
            if let place = places[conflict.current] {
                result[place].append(conflict)
            } else {
                places[conflict.current] = result.count
                result.append([conflict])
            }
        }
        return result
    }

    /// Newest and largest, as one of the two sides. Against a delete they are the file.
    public func side(_ keep: ConflictKeeping) -> ConflictKeeping {
        guard keep == .newest || keep == .largest else { return keep }
        guard let current = currentSide?.facts else { return .copy }
        guard let copy = copySide?.facts else { return .current }
        let isCopy = keep == .newest ? copy.modified > current.modified : copy.size > current.size
        return isCopy ? .copy : .current
    }
}
