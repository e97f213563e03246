import DriveCore

/// What a presenter is asked before somebody else gets its item; it answers each.
enum PresenterQuestion: Hashable, Sendable, Codable {
    case relinquishToReader
    case relinquishToWriter
    case save
    case accommodateDeletion
    case accommodateSubitemDeletion(DrivePath)
}

/// How a presenter answered.
struct PresenterAnswer: Hashable, Sendable, Codable {
    /// It relinquished, and wants to be told when the access ends.
    var reacquires = false
    /// Why it could not do what was asked.
    var failure: String?
}

/// What a presenter is told; nobody waits for it.
enum PresenterNotice: Hashable, Sendable, Codable {
    /// The access of this claim, that it relinquished for, is over.
    case reacquire(ClaimID)
    case didMove(DrivePath)
    case didChange
    case subitemDidAppear(DrivePath)
    case subitemDidMove(DrivePath, DrivePath)
    case subitemDidChange(DrivePath)
    case version(VersionNews)
    case subitemVersion(DrivePath, VersionNews)
}

/// What happened to a version of an item. The drive itself tells of conflicts, however they come and end, and of what is
/// removed for good; programs may tell of versions that they keep (`FileCoordinator.itemVersions`).
public struct VersionNews: Hashable, Sendable, Codable {
    public enum Change: String, Hashable, Sendable, Codable, CaseIterable {
        /// Another device wrote the file at the same time: this content waits beside it for a decision.
        case gained
        /// Its bytes are not kept on this device any more.
        case lost
        /// Its conflict is over, whoever ended it. What is in the trash can still be had.
        case resolved
    }

    public var change: Change
    /// As whoever keeps versions names it: the drive by `FileVersion.persistentIdentifier`.
    public var version: String

    public init(_ change: Change, _ version: String) {
        self.change = change
        self.version = version
    }
}

/// Somebody who shows an item.
struct Presentation: Hashable, Sendable, Codable {
    /// Nil while the item has no place yet.
    var path: DrivePath?
    var purpose: String
    /// Milliseconds that an answer may take.
    var patience: UInt64 = 30_000
    var isUnresponsive = false
}

/// What was done with the items of a claim.
struct AccessReport: Hashable, Sendable, Codable {
    /// Not there before.
    var appeared: [DrivePath] = []
    var changed: [DrivePath] = []
}

extension FileIntent {
    /// What a presenter of `place` is asked before this access, in order.
    func questions(for place: DrivePath, isPreparation: Bool) -> [PresenterQuestion] {
        isPreparation ? preparing(place) : relinquishing(place) + saving(place) + accommodating(place)
    }

    private func isSameItem(_ place: DrivePath) -> Bool { place.coordinatedItem == path.coordinatedItem }

    private func relinquishing(_ place: DrivePath) -> [PresenterQuestion] {
        guard isSameItem(place) || takes(place) else { return [] }
        return [isWriting ? .relinquishToWriter : .relinquishToReader]
    }

    private func saving(_ place: DrivePath) -> [PresenterQuestion] {
        let saves = reading.map { !$0.contains(.withoutChanges) } ?? (writing == .forMerging)
        return saves && isSameItem(place) ? [.save] : []
    }

    private func accommodating(_ place: DrivePath) -> [PresenterQuestion] {
        guard writing?.endsItem == true else { return [] }
        if place.isInside(path) { return [.accommodateDeletion] }
        return path.isInside(place) ? [.accommodateSubitemDeletion(path)] : []
    }

    /// A batch reaches everybody in the items, and takes nothing from anybody yet.
    private func preparing(_ place: DrivePath) -> [PresenterQuestion] {
        let saves = reading.map { !$0.contains(.withoutChanges) } ?? (writing == .forMerging)
        let isConcerned = isSameItem(place) || place.isInside(path)
        return (saves && isConcerned ? [.save] : []) + accommodating(place)
    }
}
