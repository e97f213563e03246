/// Why an item is as it is. `docs/why.md` has each with the sentence that is printed and what to do; the texts in front of
/// programs (`--json`) and in the index are these, so that none is ever given another meaning.
public enum Cause: String, Hashable, Sendable, CaseIterable, Codable {
    // In step.
    case inStep = "in-step"
    case brought
    case noStore = "no-store"
    /// A deleted folder that stays for what is in it.
    case keptForContents = "kept-for-contents"
    /// A deleted folder that stays for what is in it and is not synced.
    case keptForUnsynced = "kept-for-unsynced"
    /// A delete and an edit met, and the edit won.
    case keptByEdit = "kept-by-edit"
    case clockAhead = "clock-ahead"
    case conflictFile = "conflict-file"
    case conflictCopy = "conflict-copy"

    // Not synced on purpose.
    case ignoredByRule = "ignored-by-rule"
    case ignoredByDefault = "ignored-by-default"
    case ownName = "own-name"

    // On its way.
    case newHere = "new-here"
    case editedHere = "edited-here"
    case goneHere = "gone-here"
    case notSent = "not-sent"
    case notBrought = "not-brought"
    case setAside = "set-aside"

    // Waiting for something that passes.
    case openForWriting = "open-for-writing"
    case changing
    /// Somebody who coordinates has it.
    case inUse = "in-use"
    case nameTaken = "name-taken"
    /// What has its name is to go elsewhere, and cannot.
    case nameWaits = "name-waits"
    case contentMissing = "content-missing"
    case folderMissing = "folder-missing"
    case storeUnreachable = "store-unreachable"
    case storeBusy = "store-busy"
    case paused
    case otherProcess = "other-process"
    /// The system lets this process have no more of what it needs: open files, memory, watches.
    case exhausted
    case notWatched = "not-watched"
    case journalUnreadable = "journal-unreadable"

    // Somebody has to do something.
    case heldHere = "held-here"
    case heldElsewhere = "held-elsewhere"
    /// New where something was whose delete is held.
    case heldPlace = "held-place"
    /// To come into a folder whose delete is held.
    case heldFolder = "held-folder"
    case unreadable
    case notWritable = "not-writable"
    case specialFile = "special-file"
    case otherFileSystem = "other-file-system"
    case diskFull = "disk-full"
    case diskError = "disk-error"
    case damagedFile = "damaged-file"
    case bytesWithoutDates = "bytes-without-dates"
    case damagedInStore = "damaged-in-store"
    case impossible
    /// The file system would have it copied.
    case notMovable = "not-movable"
    /// No record can name all of its parts.
    case tooLarge = "too-large"
    case storeFull = "store-full"
    case storeDenied = "store-denied"
    case tooLargeForStore = "too-large-for-store"
    case refusedByStore = "refused-by-store"
    case storeNewer = "store-newer"
    case storeDamaged = "store-damaged"
    case stopped

    // Not here any more, or never.
    case deletedHere = "deleted-here"
    case deletedElsewhere = "deleted-elsewhere"
    case movedHere = "moved-here"
    case movedElsewhere = "moved-elsewhere"
    /// Records or the trash have it, and the log of this device does not: it joined later, or had to begin a new index.
    case deletedEarlier = "deleted-earlier"
    /// Made, or named so, and deleted between two passes of this device.
    case deletedUnseen = "deleted-unseen"
    case unknown
}

extension Cause {
    /// Of an item that could not be looked at or read.
    public init(reading error: DriveError) {
        self =
            switch error.kind {
            case .permissionDenied: .unreadable
            // It was listed, and gone a moment later.
            case .notFound: .changing
            case .exhausted: .exhausted
            default: .diskError
            }
    }

    /// Of an item whose bytes the store did not take, though it took others.
    public init(storing error: DriveError) {
        self =
            switch error.kind {
            case .tooLarge: .tooLargeForStore
            // By no store, whatever its server takes.
            case .usage: .tooLarge
            case .noSpace: .storeFull
            default: .refusedByStore
            }
    }

    /// Of an item that could not be brought here.
    public init(bringing error: DriveError) {
        self =
            switch error.kind {
            case .notFound: .contentMissing
            case .corrupt: .damagedInStore
            // It is asked for it again, and may have it whole.
            case .objectFailed: .storeBusy
            case .objectDenied, .notAuthenticated: .storeDenied
            case .noSpace: .diskFull
            case .exhausted: .exhausted
            case .permissionDenied: .notWritable
            case .usage, .unfit: .impossible
            case .unmovable: .notMovable
            default: .diskError
            }
    }
}
