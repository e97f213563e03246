import DriveCore

/// What the process ends with; `docdrive help exit-codes` lists them. 64 and up as in sysexits.h.
enum ExitStatus: Int32, Error, CaseIterable, Sendable {
    case done = 0
    case no = 1
    case partly = 2
    case timedOut = 3
    case noSpace = 10
    case denied = 11
    case held = 12
    case usage = 64
    case corrupt = 65
    case unreachable = 69
    case internalFault = 70
    case temporary = 75
    case needsOperator = 78
    case interrupted = 130
    case terminated = 143

    init(_ kind: DriveError.Kind) {
        self =
            switch kind {
            case .usage, .notFound: .usage
            case .corrupt: .corrupt
            case .unreachable, .refused: .unreachable
            case .internalFault: .internalFault
            case .temporary, .objectFailed, .exhausted: .temporary
            case .noSpace: .noSpace
            case .permissionDenied, .notAuthenticated, .objectDenied, .tooLarge: .denied
            case .unfit, .unmovable, .readOnly, .newerFormat, .identityChanged, .needsDecision, .inputOutput:
                .needsOperator
            }
    }

    var meaning: String {
        switch self {
        case .done: "done"
        case .no: "the answer is no (--check, or yours to a question), or nothing was found"
        case .partly: "done in part: some items failed; each is named"
        case .timedOut: "timed out"
        case .noSpace: "no room is left, on the disk or in the store"
        case .denied: "access denied"
        case .held: "deletes are held until somebody confirms them"
        case .usage: "the command cannot be carried out as given"
        case .corrupt: "damage was found"
        case .unreachable: "the store cannot be reached"
        case .internalFault: "an error of docdrive itself"
        case .temporary: "not now: try again later"
        case .needsOperator: "somebody must set something right first"
        case .interrupted: "interrupted; everything is consistent"
        case .terminated: "terminated; everything is consistent"
        }
    }
}
