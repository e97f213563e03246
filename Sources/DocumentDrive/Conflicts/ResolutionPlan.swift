import DriveCore
import FileCoordination

/// How conflicts are to be ended: what to do for each, or why it stays.
struct ResolutionPlan {
    private(set) var resolved: [Resolved] = []
    private(set) var left: [Left] = []

    struct Resolved {
        var conflict: Conflict
        var deeds: [Deed]
        /// What is said once they are done.
        var sentence: String
    }

    struct Left {
        var conflict: Conflict
        var reason: String
    }

    /// Where bytes come from: of a path, and of an earlier content; nil where they are not as they were.
    struct Source {
        var text: (DrivePath, ContentHash) throws -> [UInt8]?
        var ancestor: (ContentHash) throws -> [UInt8]?
        var hiding: (DrivePath) throws -> ConflictHiding? = { _ in nil }
        var merge = ThreeWayMerge()
    }

    /// What the file holds after what is planned for the conflicts before, of which it may have several; nil while it is what
    /// it was.
    var file: PlannedFile?

    struct PlannedFile {
        var hash: ContentHash
        /// Where its bytes are now.
        var place: DrivePath
        var text: [UInt8]?
    }

    init(_ conflicts: [Conflict], _ how: ConflictResolution, _ source: Source) throws {
        for conflicts in Conflict.byFile(conflicts) {
            file = nil
            try add(conflicts, how, source)
        }
    }

    /// All are of one file.
    private mutating func add(_ conflicts: [Conflict], _ how: ConflictResolution, _ source: Source) throws {
        var open: [Conflict] = []
        let hiding = try conflicts.first.flatMap { try source.hiding($0.current) }
        for conflict in conflicts {
            if let obstacle = conflict.obstacle(how, hiding) {
                leave(conflict, obstacle)
            } else {
                open.append(conflict)
            }
        }
        switch how {
        case .keep(let keep) where keep == .newest || keep == .largest: keepingOne(open, keep)
        // Only one can have the name, and whoever says "copy" does not say which.
        case .keep(.copy) where conflicts.count > 1:
            for conflict in open { leave(conflict, conflict.reasonToName(among: conflicts.count)) }
        case .keep(let side): for conflict in open { keeping(conflict, side, isAsIs: true) }
        case .merge: for conflict in open { try merging(conflict, source) }
        case .suggested: for conflict in open { try doingWhatIsSuggested(conflict, source) }
        }
    }

    /// All that the file may hold is compared, not each copy with the file alone. A copy that wins comes before the others: of
    /// the file they expect what it is then.
    private mutating func keepingOne(_ conflicts: [Conflict], _ keep: ConflictKeeping) {
        let winner = conflicts.winner(keep)
        for conflict in conflicts where conflict.copy == nil { keeping(conflict, .current) }
        if let winner { keeping(winner, .copy) }
        for conflict in conflicts where conflict.copy != nil && conflict != winner { keeping(conflict, .current) }
    }

    private mutating func doingWhatIsSuggested(_ conflict: Conflict, _ source: Source) throws {
        guard let now = try judged(conflict, source) else { return leave(conflict, Self.notHere) }
        switch now.suggestion {
        case .keepCurrent: keeping(conflict, .current)
        case .keepCopy: keeping(conflict, .copy)
        case .merge: try merging(conflict, source)
        case nil: leave(conflict, conflict.suggestion == nil ? conflict.reasonToLook : conflict.reasonAfterAnother)
        }
    }

    mutating func leave(_ conflict: Conflict, _ reason: String) {
        left.append(Left(conflict: conflict, reason: reason))
    }

    mutating func resolve(_ conflict: Conflict, _ deeds: [Deed], _ sentence: String) {
        resolved.append(Resolved(conflict: conflict, deeds: deeds, sentence: sentence))
    }

    /// `isAsIs` where somebody wants what has the name, whatever it holds; else the two contents decided.
    private mutating func keeping(_ conflict: Conflict, _ side: ConflictKeeping, isAsIs: Bool = false) {
        guard let path = conflict.copy else { return decideDelete(conflict, side) }
        guard let copy = conflict.copySide?.hash else { return leave(conflict, Self.notHere) }
        switch side {
        case .current:
            guard let current = conflict.currentSide else { return leave(conflict, Self.nothingHasName) }
            let hash = file?.hash ?? current.hash
            guard isAsIs || hash != nil else { return leave(conflict, Self.notHere) }
            // Somebody may have deleted, moved or saved it since the last pass: then the copy may be all there is.
            let kept = Deed.expect(conflict.current, isAsIs ? nil : hash)
            resolve(conflict, [kept, .takeAway(path, copy)], "kept; the copy is in the trash")
        case .copy:
            // The other side would come all the same, as a copy of what has its name then.
            guard let current = file?.hash ?? conflict.currentSide?.hash else {
                return leave(conflict, Self.nothingHasName)
            }
            resolve(
                conflict, [.moveOver(path, copy, to: conflict.current, replacing: current)],
                "the copy took its place; what it was is in the trash")
            file = PlannedFile(hash: copy, place: path)
        case .both, .newest, .largest:
            resolve(conflict, [.touch(path)], "both are kept; the copy is a file of its own now")
        }
    }

    /// The other side is a delete.
    private mutating func decideDelete(_ conflict: Conflict, _ side: ConflictKeeping) {
        guard let hash = conflict.currentSide?.hash else { return leave(conflict, Self.notHere) }
        if side == .copy {
            resolve(
                conflict, [.takeAway(conflict.current, hash)], "deleted, as the other device had; it is in the trash")
        } else {
            resolve(conflict, [.touch(conflict.current)], "kept")
        }
    }

    private static let nothingHasName = "what has its name is not here yet; `docdrive why` says what it waits for"
    static let notHere = "one side is not here, or not as it was; run `docdrive sync`"
}
