import DocumentDrive
import DriveCore

/// What an undo would do.
struct UndoPreview {
    let plan: UndoPlan

    var count: Int { plan.steps.count }
    var isEmpty: Bool { plan.steps.isEmpty }
    var leavesSomething: Bool { !plan.obstacles.isEmpty }

    func print(_ operations: [OperationSummary]) {
        for operation in operations where operations.count == 1 || plan.operations.contains(operation.id) {
            Output.line("\(operation.id)  \(Moment.minute(operation.time))  \(operation.cause)  \(operation.text)")
        }
        for deed in plan.deeds.prefix(20) { Output.line("  \(deed.intention)") }
        if count > 20 { Output.line("  ... and \(Quantity.count(count - 20)) more") }
        for obstacle in plan.obstacles {
            Output.line("  \(Escaped.path(obstacle.path)): stays as it is: \(Escaped.text(obstacle.sentence))")
        }
        if isEmpty, !operations.isEmpty, !leavesSomething { Output.line("  everything is as it was before") }
    }
}

extension Deed {
    fileprivate var intention: String {
        let name = Escaped.path(path)
        return switch self {
        case .putBack(_, _, .none), .takeOut, .makeFolder: "\(name): comes back"
        case .putBack, .write: "\(name): as it was before"
        case .takeAway: "\(name): to the trash"
        case .move(let from, _), .moveOver(let from, _, _, _): "\(name): comes back (now \(Escaped.path(from)))"
        case .removeFolder: "\(name): removed, if it is empty"
        case .setAttributes: "\(name): attributes as they were before"
        case .touch: "\(name): a file of its own"
        case .expect: "\(name): stays as it is"
        }
    }
}
