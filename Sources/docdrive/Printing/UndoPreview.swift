import DocumentDrive
import DriveCore

/// What an undo would do.
struct UndoPreview {
    let plan: UndoPlan

    /// The changes that people see.
    var count: Int { plan.deeds.reduce(0) { $0 + max($1.moves.count, 1) } }
    var isEmpty: Bool { plan.steps.isEmpty }
    var leavesSomething: Bool { !plan.obstacles.isEmpty }

    func print(_ operations: [OperationSummary]) {
        for operation in operations where operations.count == 1 || plan.operations.contains(operation.id) {
            Output.line("\(operation.id)  \(Moment.minute(operation.time))  \(operation.cause)  \(operation.text)")
        }
        let intentions = plan.deeds.prefix(20).flatMap(\.intentions)
        for intention in intentions.prefix(20) { Output.line("  \(intention)") }
        if count > 20 { Output.line("  ... and \(Quantity.count(count - 20)) more") }
        for obstacle in plan.obstacles {
            Output.line("  \(Escaped.path(obstacle.path)): stays as it is: \(Escaped.text(obstacle.sentence))")
        }
        if isEmpty, !operations.isEmpty, !leavesSomething { Output.line("  everything is as it was before") }
    }
}

extension Deed {
    fileprivate var intentions: [String] {
        if case .rotate = self { return moves.map { Deed.move($0.from, to: $0.to).intention } }
        return [intention]
    }

    private var intention: String {
        let name = Escaped.path(path)
        return switch self {
        case .putBack(_, _, .none), .takeOut, .makeFolder: "\(name): comes back"
        case .putBack, .write: "\(name): as it was before"
        case .takeAway: "\(name): to the trash"
        case .move(let from, _), .moveNested(let from, _), .moveOver(let from, _, _, _):
            "\(name): comes back (now \(Escaped.path(from)))"
        case .rotate: "\(name): changes places"
        case .removeFolder: "\(name): removed, if it is empty"
        case .setAttributes: "\(name): attributes as they were before"
        case .touch: "\(name): a file of its own"
        case .expect: "\(name): stays as it is"
        }
    }
}
