import DocumentDrive
import DriveCore
import DriveIndex
import FileCoordination

/// An operation as people and programs read it.
struct OperationSummary {
    var id: UInt64
    var kind: DriveOperation.Kind
    var time: UInt64
    var undoes: UInt64?
    var count: Int
    /// Whose changes it brought.
    var devices: Set<String>
    private var first: DrivePath
    private var undoneBy: UInt64?

    /// The newest first.
    static func all(_ reader: DriveReader) throws -> [OperationSummary] {
        let operations = try reader.index.operations(limit: .max)
        let undone = Dictionary(
            operations.compactMap { operation in operation.undoes.map { ($0, operation.id) } },
            uniquingKeysWith: { first, _ in first })
        return try operations.compactMap { operation in
            let events = try reader.index.events(of: operation.id)
            guard let first = events.map(\.path).min() else { return nil }
            return OperationSummary(
                id: operation.id, kind: operation.kind, time: operation.time, undoes: operation.undoes,
                count: events.count, devices: Set(events.compactMap(\.device)), first: first,
                undoneBy: undone[operation.id])
        }
    }

    var cause: String { kind.cause }

    var text: String {
        var text = Quantity.count(count, "change") + ", \(Escaped.path(first))" + (count > 1 ? " ..." : "")
        if !devices.isEmpty { text += ", from \(devices.sorted().map { Escaped.text($0) }.joined(separator: ", "))" }
        if let undoes { text += ", reverses \(undoes)" }
        if let undoneBy { text += ", undone by \(undoneBy)" }
        return text
    }

    struct JSON: Encodable {
        var v = 1
        var type = "operation"
        var id: UInt64
        var kind: String
        var time: UInt64
        var changes: Int
        var devices: [String]
        var undoes: UInt64?
        var undoneBy: UInt64?
    }

    var json: JSON {
        JSON(
            id: id, kind: kind.rawValue, time: time, changes: count, devices: devices.sorted(), undoes: undoes,
            undoneBy: undoneBy)
    }
}

extension DriveOperation.Kind {
    /// Why something changed, in a word or two.
    var cause: String {
        switch self {
        case .local: "changed here"
        case .sync: "synced"
        case .resolve: "conflicts resolve"
        case .clean: "conflicts clean"
        case .restore: "restore"
        case .undo: "undo"
        case .deletes: "deletes"
        case .repair: "verify --repair"
        }
    }
}

/// What an undo would do.
struct UndoPreview {
    private let plan: UndoPlan

    init(_ operations: [UInt64], device: String?, _ reader: DriveReader) throws {
        plan = try reader.undoPlan(operations, device: device)
    }

    var count: Int { plan.deeds.count }
    var isEmpty: Bool { plan.deeds.isEmpty }
    var leavesSomething: Bool { !plan.obstacles.isEmpty }

    func print(_ operations: [OperationSummary]) {
        for operation in operations {
            Output.line("\(operation.id)  \(Moment.minute(operation.time))  \(operation.cause)  \(operation.text)")
        }
        for deed in plan.deeds.prefix(20) { Output.line("  \(deed.intention)") }
        if count > 20 { Output.line("  ... and \(Quantity.count(count - 20)) more") }
        for obstacle in plan.obstacles {
            Output.line("  \(Escaped.path(obstacle.path)): stays as it is: \(obstacle.reason.rawValue)")
        }
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
        }
    }
}
