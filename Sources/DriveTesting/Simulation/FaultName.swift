import DriveCore

extension Interruption.Event {
    /// What the tally of a campaign calls it.
    var faultName: String {
        switch self {
        case .user: "people acting in the middle of a step"
        case .kill: "process killed"
        case .cutPower: "power cut"
        case .failure(let error): "disk or store: \(error.kind.rawValue)"
        case .store(let fault): fault.faultName
        }
    }
}

extension StoreFault {
    var faultName: String {
        switch self {
        case .failure(let error): "store: \(error.kind.rawValue)"
        case .lostAnswer: "store: lost answer"
        case .torn: "store: torn object"
        case .flippedBit: "store: flipped bit"
        case .shortRead: "store: short read"
        case .killedBefore, .killedAfter, .killedTorn: "process killed in a call of the store"
        }
    }
}
