import DriveCore

/// From where acts that no look has seen yet took something. Read once for all that a look found: an act may have done very much.
struct ActDepartures {
    private var paths: Set<DrivePath> = []

    init(_ state: any DriveState, since unseen: UInt64) throws {
        for operation in unseen...max(unseen, try state.lastOperation()) {
            for event in try state.events(of: operation) where event.operation?.kind.isAnAct == true {
                if let path = event.isGone ? event.path : event.from { paths.insert(path) }
            }
        }
    }

    /// Whether one of them took it, or a folder that it was in.
    func tell(of path: DrivePath) -> Bool {
        if paths.isEmpty { return false }
        var place = path
        while !place.isRoot {
            if paths.contains(place) { return true }
            place = place.parent
        }
        return false
    }
}
