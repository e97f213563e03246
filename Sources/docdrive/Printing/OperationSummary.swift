import DocumentDrive
import DriveCore
import DriveIndex
import FileCoordination

/// An operation as people and programs read it.
struct OperationSummary {
    var id: UInt64
    var kind: DriveOperation.Kind
    var time: UInt64
    /// The operations that it has reversed, or parts of them.
    var reversed: Set<UInt64>
    /// The newest that has reversed it and is not undone itself.
    var undoneBy: UInt64?
    /// Something of it is not as it was before.
    var isUndoneInPart = false
    var count: Int
    /// Whose changes it brought.
    var devices: Set<String>
    private var first: DrivePath

    /// The newest first.
    static func all(_ reader: DriveReader) throws -> [OperationSummary] {
        let operations = try reader.index.operations(limit: .max)
        let undone = operations.undone
        return try operations.compactMap { operation in
            let events = try reader.index.events(of: operation.id)
            guard let first = events.map(\.path).min() else { return nil }
            return OperationSummary(
                id: operation.id, kind: operation.kind, time: operation.time, reversed: operation.reversed,
                undoneBy: undone[operation.id], count: events.count, devices: Set(events.compactMap(\.device)),
                first: first)
        }
    }

    /// Of a span of operations those that are to be reversed: what was undone within it is as it was before.
    static func standing(_ operations: [OperationSummary]) -> [OperationSummary] {
        let all = Set(operations.map(\.id))
        return operations.filter { $0.reversed.isEmpty || $0.undoneBy != nil || !$0.reversed.isSubset(of: all) }
    }

    var cause: String { kind.cause }

    var text: String {
        var text = Quantity.count(count, "change") + ", \(Escaped.path(first))" + (count > 1 ? " ..." : "")
        if !devices.isEmpty { text += ", from \(devices.sorted().map { Escaped.text($0) }.joined(separator: ", "))" }
        if !reversed.isEmpty { text += ", reverses \(Quantity.numbers(reversed))" }
        if let undoneBy { text += ", undone\(isUndoneInPart ? " in part" : "") by \(undoneBy)" }
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
        /// The newest of those that it reverses.
        var undoes: UInt64?
        var reverses: [UInt64]?
        var undoneBy: UInt64?
        /// There where it is true.
        var undoneInPart: Bool?
    }

    var json: JSON {
        JSON(
            id: id, kind: kind.rawValue, time: time, changes: count, devices: devices.sorted(),
            undoes: reversed.max(), reverses: reversed.isEmpty ? nil : reversed.sorted(), undoneBy: undoneBy,
            undoneInPart: isUndoneInPart ? true : nil)
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
        case .giveUp: "store check --give-up"
        }
    }
}
