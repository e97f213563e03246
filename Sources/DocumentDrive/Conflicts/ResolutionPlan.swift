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
        var merge = ThreeWayMerge()
    }

    /// The content that a file has after what is planned so far: of one file there may be several copies.
    private var planned: [DrivePath: (hash: ContentHash, text: [UInt8]?)] = [:]

    init(_ conflicts: [Conflict], _ how: ConflictResolution, _ source: Source) throws {
        for conflict in conflicts { try add(conflict, how, source) }
    }

    private mutating func add(_ conflict: Conflict, _ how: ConflictResolution, _ source: Source) throws {
        if conflict.isHeld { return leave(conflict, Conflict.heldReason) }
        if conflict.isAgainstFolder, !how.leavesCurrent { return leave(conflict, Conflict.folderHasName) }
        switch how {
        case .keep(let keep):
            let side = conflict.side(keep)
            keeping(conflict, side, isAsIs: keep == side)
        case .merge: try merging(conflict, source)
        case .suggested:
            switch conflict.suggestion {
            case .keepCurrent: keeping(conflict, .current)
            case .keepCopy: keeping(conflict, .copy)
            case .merge: try merging(conflict, source)
            case nil: leave(conflict, conflict.reasonToLook)
            }
        }
    }

    private mutating func leave(_ conflict: Conflict, _ reason: String) {
        left.append(Left(conflict: conflict, reason: reason))
    }

    private mutating func resolve(_ conflict: Conflict, _ deeds: [Deed], _ sentence: String) {
        resolved.append(Resolved(conflict: conflict, deeds: deeds, sentence: sentence))
    }

    /// `isAsIs` where somebody wants what has the name, whatever it holds; else the two contents decided.
    private mutating func keeping(_ conflict: Conflict, _ side: ConflictKeeping, isAsIs: Bool = false) {
        guard let path = conflict.copy else { return decideDelete(conflict, side) }
        guard let copy = conflict.copySide?.hash else { return leave(conflict, Self.notHere) }
        switch side {
        case .current:
            guard let current = conflict.currentSide else { return leave(conflict, Self.nothingHasName) }
            let hash = planned[conflict.current]?.hash ?? current.hash
            guard isAsIs || hash != nil else { return leave(conflict, Self.notHere) }
            // Somebody may have deleted, moved or saved it since the last pass: then the copy may be all there is.
            let kept = Deed.expect(conflict.current, isAsIs ? nil : hash)
            resolve(conflict, [kept, .takeAway(path, copy)], "kept; the copy is in the trash")
        case .copy:
            // The other side would come all the same, as a copy of what has its name then.
            guard let current = planned[conflict.current]?.hash ?? conflict.currentSide?.hash else {
                return leave(conflict, Self.nothingHasName)
            }
            resolve(
                conflict, [.moveOver(path, copy, to: conflict.current, replacing: current)],
                "the copy took its place; what it was is in the trash")
            planned[conflict.current] = (copy, nil)
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

    private mutating func merging(_ conflict: Conflict, _ source: Source) throws {
        guard let path = conflict.copy, let copy = conflict.copySide?.hash else {
            return leave(conflict, conflict.copy == nil ? conflict.reasonToLook : Self.notHere)
        }
        guard conflict.kind != .binary else { return leave(conflict, "they are no texts; open both") }
        guard let hash = conflict.ancestor, let base = try source.ancestor(hash) else {
            return leave(
                conflict,
                "the text that both come from is not known here; `docdrive conflicts diff \(conflict.id)` compares them"
            )
        }
        guard let current = planned[conflict.current]?.hash ?? conflict.currentSide?.hash,
            let mine = try planned[conflict.current]?.text ?? source.text(conflict.current, current),
            let theirs = try source.text(path, copy)
        else { return leave(conflict, Self.notHere) }
        guard case .clean(let merged) = try source.merge.merge(mine, ancestor: base, theirs) else {
            return leave(
                conflict, "both changed the same lines; `docdrive conflicts diff \(conflict.id) --three-way` shows them"
            )
        }
        var deeds: [Deed] = merged == mine ? [] : [.write(merged, at: conflict.current, replacing: current)]
        deeds.append(.takeAway(path, copy))
        resolve(conflict, deeds, "merged; what both were is in the trash")
        planned[conflict.current] = (ContentHasher.hash(of: merged), merged)
    }

    private static let nothingHasName = "what has its name is not here yet; `docdrive why` says what it waits for"
    private static let notHere = "one side is not here, or not as it was; run `docdrive sync`"
}

extension ConflictResolution {
    /// What has the name is left as it is, whatever the two sides hold.
    fileprivate var leavesCurrent: Bool { self == .keep(.current) || self == .keep(.both) }
}

extension Conflict {
    fileprivate static let folderHasName =
        "a folder has its name; --keep both makes the copy a file of its own, --keep current moves it to the trash"

    /// Newest and largest, as one of the two sides. Against a delete they are the file.
    public func side(_ keep: ConflictKeeping) -> ConflictKeeping {
        guard keep == .newest || keep == .largest else { return keep }
        guard let current = currentSide?.facts else { return .copy }
        guard let copy = copySide?.facts else { return .current }
        let isCopy = keep == .newest ? copy.modified > current.modified : copy.size > current.size
        return isCopy ? .copy : .current
    }

    /// Why nothing is suggested.
    var reasonToLook: String {
        switch kind {
        // Without an ancestor nobody is known to have changed anything.
        case .divergent where ancestor == nil:
            "each has lines that the other has not; `docdrive conflicts diff \(id)` shows them"
        case .divergent: "both changed the same text; `docdrive conflicts diff \(id)` shows how"
        case .binary: "they are no texts; open both, then say --keep current, copy or both"
        case .deleteVersusEdit:
            "\(deleter ?? "another device") deleted what another edited; --keep current keeps it, --keep copy deletes it"
        case nil: "both sides were not compared yet; run `docdrive sync`"
        case .identical, .superset, .mergeable: "it has a suggestion"
        }
    }
}
