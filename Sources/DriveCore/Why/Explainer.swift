/// Decides what an item's facts mean: the first of the reasons below that holds. Nothing else is asked.
public struct Explainer {
    let facts: ItemFacts

    public init(_ facts: ItemFacts) { self.facts = facts }

    public func explanation() -> Explanation {
        let cause = cause()
        var result = Explanation(
            path: facts.path, cause: cause, standing: standing(of: cause), sentence: sentence(of: cause))
        result.since = since(of: cause)
        result.waitsFor = awaited(for: cause)
        result.isOfTrouble = isOfTrouble(cause)
        result.nextTry = nextTry(of: cause)
        result.remedy = remedy(for: cause)
        result.device = device(for: cause)
        result.others = others(for: cause)
        if cause == .inUse { result.user = facts.user }
        if cause == .ignoredByRule || cause == .ignoredByDefault { result.rule = facts.rule }
        switch facts.disk {
        case .present(let here):
            result.here = Explanation.Side(here)
            if result.here == nil { result.hereInstead = .specialFile }
        case .unreadable: result.hereInstead = .unseen
        case .notLooked: result.hereInstead = .notLooked
        case .absent: break
        }
        result.isUnsent = facts.isUnsent
        // What was recorded here is not what others have yet, and what they have is not known any more.
        if facts.isUnsent { return result }
        result.last = facts.row.map { Explanation.Side($0) }
        result.store = facts.drive.hasStore ? facts.entry.map { Explanation.Side($0) } : nil
        return result
    }

    private func cause() -> Cause {
        if facts.path.isRoot { return causeOfDrive() }
        if isNameTaken { return .nameTaken }
        return causeOfPurpose() ?? causeByDecision() ?? causeByObstacle() ?? causeByDifference() ?? causeInStep()
    }

    /// Whatever has the name, and why that is not synced: the name is what the store's item waits for.
    private var isNameTaken: Bool {
        facts.obstacles.contains { $0.cause == .nameTaken } && facts.entry != nil && facts.disk != .absent
            && (facts.row == nil || facts.isKept) && !waitsForLook
            // Then it is known once the program is done with it.
            && !facts.obstacles.contains { [.openForWriting, .changing, .inUse].contains($0.cause) }
    }

    /// It may be the very item that the store has: the pass that would have found out was stopped.
    private var waitsForLook: Bool {
        guard facts.row == nil, let trouble = facts.drive.trouble, !trouble.isHere, facts.rule?.isIgnored != true,
            case .present(let here) = facts.disk
        else { return false }
        return here.kind != .other && !here.isForeignMount
    }

    /// What is not synced because nobody wants it, or nobody can.
    private func causeOfPurpose() -> Cause? {
        if let rule = facts.rule, rule.isIgnored, facts.row?.isDerived != true {
            return facts.isDefaultRule ? .ignoredByDefault : .ignoredByRule
        }
        if isDrivesOwn { return .ownName }
        if facts.mount != nil { return .otherFileSystem }
        guard case .present(let here) = facts.disk else { return nil }
        if here.isForeignMount { return .otherFileSystem }
        // A name that the store has too is taken: that is what is in the way.
        return here.kind == .other && facts.entry == nil ? .specialFile : nil
    }

    private var isDrivesOwn: Bool {
        let isFolder = if case .present(let here) = facts.disk { here.kind == .folder } else { false }
        return facts.path.components.first == .driveFolder || facts.path.isDrivesOwn(isFolder: isFolder)
    }

    private func causeByDecision() -> Cause? {
        facts.held.map { held in
            switch held.subject {
            case .place: .heldPlace
            case .folder: .heldFolder
            case .item: held.isOwn ? .heldHere : .heldElsewhere
            }
        }
    }

    /// What a pass found in the way, if it still can be.
    private func causeByObstacle() -> Cause? {
        if case .unreadable(let error) = facts.disk { return Cause(reading: error) }
        let causes = facts.obstacles.map(\.cause)
        return causes.first { cause in
            switch cause {
            // Paused, what others have waits for something else.
            case .openForWriting: facts.disk != .absent && !(facts.isDirty && facts.drive.pause != nil)
            case .changing, .unreadable, .damagedFile, .bytesWithoutDates: facts.disk != .absent
            case .nameTaken: false
            case .nameWaits: facts.isDirty && facts.disk != .absent
            // What is not there any more: of what is, it was told before.
            case .otherFileSystem: false
            case .specialFile: hasSpecialFile
            case .contentMissing, .diskFull, .damagedInStore, .storeBusy, .storeDenied, .impossible:
                facts.isDirty || facts.row == nil
            case .inUse: facts.isDirty || !isAsRecorded
            default: true
            }
        }
    }

    private var hasSpecialFile: Bool { if case .present(let here) = facts.disk { here.kind == .other } else { false } }

    private var isAsRecorded: Bool {
        guard let row = facts.row, case .present(let here) = facts.disk else { return false }
        return row.agrees(with: here)
    }

    /// The three sides are not one.
    private func causeByDifference() -> Cause? {
        guard let row = facts.row else {
            if case .present = facts.disk { return gated(facts.drive.isBlind ? .notWatched : .newHere) }
            if facts.entry != nil { return gated(.notBrought) }
            return facts.isUnsentDelete ? gated(.notSent) : nil
        }
        switch facts.disk {
        case .absent: if !row.isParked { return gated(.goneHere) }
        case .present(let here) where !row.agrees(with: here):
            return gated(facts.drive.isBlind ? .notWatched : .editedHere)
        default: break
        }
        if row.isParked { return .setAside }
        if facts.isDirty { return gated(.notBrought) }
        return facts.isUnsent ? gated(.notSent) : nil
    }

    /// What would go on by itself is stopped by what stops the drive.
    private func gated(_ cause: Cause) -> Cause {
        guard facts.drive.hasStore else { return cause }
        if facts.drive.pause != nil { return .paused }
        if let trouble = facts.drive.trouble { return trouble.cause }
        return facts.drive.otherProcess == nil ? cause : .otherProcess
    }

    private func causeInStep() -> Cause {
        if let row = facts.row {
            if let conflict = facts.conflict { return conflict.isCopy ? .conflictCopy : .conflictFile }
            if !facts.drive.hasStore { return .noStore }
            if facts.isKept { return .keptForUnsynced }
            if !row.rescued.isEmpty { return .keptForContents }
            if facts.latest?.isKeptChange == true { return .keptByEdit }
            if isFromTheFuture { return .clockAhead }
            return facts.author == nil ? .inStep : .brought
        }
        switch facts.past {
        case .deleted(let event, _): return event.device == nil ? .deletedHere : .deletedElsewhere
        case .moved(let event, _): return event.device == nil ? .movedHere : .movedElsewhere
        case .deletedEarlier: return .deletedEarlier
        case .deletedUnseen: return .deletedUnseen
        case nil: return facts.lacksFolder ? .folderMissing : .unknown
        }
    }

    private var isFromTheFuture: Bool {
        guard facts.author != nil, let written = facts.written else { return false }
        return written > facts.drive.now + RecordNumbers.greatestAdvance
    }

    /// Of the root, which is always there.
    private func causeOfDrive() -> Cause {
        if facts.drive.pause != nil { return .paused }
        if let trouble = facts.drive.trouble { return trouble.cause }
        if !facts.drive.journals.isEmpty { return .journalUnreadable }
        if !facts.drive.hasStore { return .noStore }
        return facts.drive.otherProcess == nil ? .inStep : .otherProcess
    }
}

extension DriveFacts {
    /// Changes in some folders are noticed only now and then.
    var isBlind: Bool { watcher.map { $0.unwatched > 0 } ?? false }
}

extension Row {
    /// Whether a look finds what was last in step. What is put into a folder changes its times, and not the folder.
    package func agrees(with here: FileFacts) -> Bool {
        kind == .folder
            ? here.kind == .folder && here.identity == facts.identity : facts.looksUnchanged(since: here)
    }
}
