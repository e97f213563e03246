extension Explainer {
    func standing(of cause: Cause) -> Standing {
        switch cause {
        case .inStep, .brought, .noStore, .keptForContents, .keptForUnsynced, .keptByEdit, .clockAhead, .conflictFile:
            .synced
        case .conflictCopy: .conflict
        case .ignoredByRule, .ignoredByDefault, .ownName: .ignored
        case .notSent: .uploading
        case .notBrought: .downloading
        case .newHere, .editedHere, .goneHere, .setAside, .openForWriting, .changing, .inUse, .nameTaken,
            .nameWaits, .contentMissing, .folderMissing, .storeUnreachable, .storeBusy, .paused, .otherProcess,
            .exhausted, .notWatched, .journalUnreadable:
            .waiting
        case .heldHere, .heldElsewhere, .heldPlace, .heldFolder: .held
        case .specialFile, .otherFileSystem, .unreadable, .notWritable, .diskFull, .diskError, .damagedFile,
            .bytesWithoutDates, .damagedInStore, .impossible, .notMovable, .tooLarge, .storeFull, .storeDenied,
            .tooLargeForStore, .refusedByStore, .storeNewer, .storeDamaged, .stopped:
            .error
        case .deletedHere, .deletedElsewhere, .deletedEarlier, .deletedUnseen, .movedHere, .movedElsewhere: .gone
        case .unknown: .unknown
        }
    }

    func since(of cause: Cause) -> UInt64? {
        if cause == .inUse, let since = facts.user?.since { return since }
        if let obstacle = facts.obstacles.first(where: { $0.cause == cause }) { return obstacle.since }
        if isOfTrouble(cause) { return facts.drive.trouble?.since }
        switch cause {
        case .paused: return facts.drive.pause?.since
        case .journalUnreadable: return facts.drive.journals.first?.since
        case .newHere, .editedHere, .notWatched, .specialFile, .heldPlace:
            guard case .present(let here) = facts.disk else { return nil }
            return here.changed.millisecondsSince1970
        case .deletedHere, .deletedElsewhere, .movedHere, .movedElsewhere: return facts.past?.event?.time
        case .notBrought, .heldFolder: return facts.written
        case .heldHere, .heldElsewhere: return facts.held?.since
        case .unknown, .deletedEarlier, .deletedUnseen, .ignoredByRule, .ignoredByDefault, .ownName, .goneHere,
            .otherProcess, .otherFileSystem:
            return nil
        default: return facts.latest?.time
        }
    }

    /// Whether it is said of the item because it stops the whole drive.
    func isOfTrouble(_ cause: Cause) -> Bool { facts.drive.trouble?.cause == cause }

    func nextTry(of cause: Cause) -> UInt64? {
        if isOfTrouble(cause) { return facts.drive.watcher?.nextTry }
        switch cause {
        case .paused: return facts.drive.pause?.until
        case .openForWriting, .changing, .nameTaken, .nameWaits: return facts.drive.watcher?.nextLook
        default: return nil
        }
    }

    func device(for cause: Cause) -> String? {
        switch cause {
        case .brought, .notBrought, .clockAhead: facts.author
        case .conflictCopy, .conflictFile: facts.conflict?.device
        case .heldElsewhere: facts.held?.device
        case .deletedElsewhere, .deletedUnseen, .movedElsewhere: facts.past?.device
        default: nil
        }
    }

    func others(for cause: Cause) -> [DrivePath] {
        switch cause {
        case .conflictFile, .conflictCopy: return facts.conflict?.others ?? []
        case .movedHere, .movedElsewhere:
            if case .moved(_, let place)? = facts.past { return [place] }
            return []
        case .nameWaits: return awaitedName.map { [$0] } ?? []
        default: return []
        }
    }

    /// Where the item is to be, while what is there cannot go. Nil of what has the name itself.
    var awaitedName: DrivePath? {
        let place = facts.obstacles.first { $0.cause == .nameWaits }?.path
        return place == facts.path ? nil : place
    }
}

extension ItemFacts.Past {
    var event: DriveEvent? {
        switch self {
        case .deleted(let event, _), .moved(let event, _): event
        case .deletedEarlier, .deletedUnseen: nil
        }
    }

    /// Whose doing it was, if it was not this one's.
    var device: String? { if case .deletedUnseen(let device) = self { device } else { event?.device } }

    /// What the trash has of it.
    var trash: String? {
        switch self {
        case .deleted(_, let trash), .deletedEarlier(let trash): trash
        case .moved, .deletedUnseen: nil
        }
    }
}

extension FileTime {
    /// Nothing that a file claims is before then.
    package var millisecondsSince1970: UInt64 {
        UInt64(max(0, min(seconds, 253_402_300_799))) * 1000 + UInt64(max(0, nanoseconds)) / 1_000_000
    }
}
