import DriveCore

/// A step of apply as other users of the items see it.
struct StepUse {
    var intents: [FileIntent]
    var report = AccessReport()
    var move: ItemMove?

    init(_ intent: Intent, _ state: any DriveState, _ paths: inout RowPaths) throws {
        let path = try paths.path(of: intent.row)
        // What is new has no row yet.
        let known = intent.isPlacing ? nil : try state.row(intent.row.id)
        let old = try known.map { try paths.path(of: $0) } ?? path
        switch intent.step {
        case .place:
            intents = [.writing(path)]
            report.appeared = [path]
        case .replace:
            intents = [.writing(path)]
            report.changed = [path]
        case .setAttributes:
            intents = [.writing(path, options: .contentIndependentMetadataOnly)]
            report.changed = [path]
        case .move(_, _, let wasParked):
            // Nothing is there yet.
            intents = [.writing(path)]
            move = ItemMove(from: wasParked ? intent.row.parkedPlace : old, to: path)
        case .park:
            intents = [.writing(path, options: .forMoving)]
            // Another item takes the place before this one gets its own.
            move = ItemMove(from: old, to: intent.row.parkedPlace, isTold: false)
        case .remove, .removeFolder: intents = [.writing(path, options: .forDeleting)]
        }
        if old != path { intents.append(.writing(old, options: .forMoving)) }
    }
}

extension Row {
    /// No path of a person's.
    fileprivate var parkedPlace: DrivePath { DrivePath([".docdrive", "staging", "parked", parkedName]) }
}
