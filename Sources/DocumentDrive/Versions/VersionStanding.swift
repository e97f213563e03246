import DriveCore
import DriveFiles

/// A stretch of time in which a content was, or is, what the file held.
struct VersionStanding {
    var version: FileVersion
    /// The last time at which it is known to have been in force, or to be kept: what ended later was in force later.
    var ended: UInt64
    var rank = Rank.earlier
    /// As the trash has it: it ended because another content took its place.
    var isReplaced = false
    /// No record had it: the store refused it.
    var isOfRefused = false

    enum Rank: Int, Comparable {
        case earlier
        /// What the file held when it was last looked at, and does not hold any more.
        case last
        case conflict
        case current

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    init(_ version: FileVersion, ended: UInt64) {
        self.version = version
        self.ended = ended
        rank =
            switch version.kind {
            case .current: .current
            case .conflict: .conflict
            case .past, .deleted: .earlier
            }
    }

    static func < (a: Self, b: Self) -> Bool {
        (a.rank, a.ended, a.version.periods[0].from, a.version.content)
            < (b.rank, b.ended, b.version.periods[0].from, b.version.content)
    }
}

extension [VersionStanding] {
    /// One for each content, as it was in force last, with all that is known of it: what is in force first, then conflicts, then
    /// what was in force last.
    func merged() -> [FileVersion] {
        var result: [FileVersion] = []
        var places: [ContentHash: (place: Int, ended: UInt64)] = [:]
        for standing in sorted(by: { $1 < $0 }) {
            guard let known = places[standing.version.content] else {
                places[standing.version.content] = (result.count, standing.ended)
                result.append(standing.version)
                continue
            }
            result[known.place].add(standing.version, isSame: standing.ended == known.ended)
        }
        return result
    }
}

extension [VersionStanding] {
    /// The file is not as its row has it, and no pass has looked at that yet: what the row has is what it held last. A pass has
    /// `noticed` a delete that is held then.
    mutating func displace(
        _ hash: ContentHash?, by now: FolderNow.Standing, at path: DrivePath, _ noticed: UInt64? = nil
    ) {
        let time = noticed ?? SystemClock().milliseconds()
        let latest = map(\.ended).max() ?? 0
        var since = time
        // A program may give a file any date.
        if case .content(_, let facts) = now {
            since = Swift.min(time, Swift.max(facts.modified.millisecondsSince1970, latest))
        }
        let last = indices.filter { self[$0].version.content == hash && self[$0].rank == .earlier }
            .max { self[$0] < self[$1] }
        if let last {
            self[last].rank = .last
            self[last].version.kind = now == .nothing ? .deleted : .past
            self[last].end(since)
        }
        guard case .content(let content, let facts) = now else { return }
        let version = FileVersion(
            path: path, content: content, size: facts.size, modificationDate: facts.modified, kind: .current,
            place: .folder, periods: [FileVersion.Period(from: since)])
        append(VersionStanding(version, ended: .max))
    }
}

extension [VersionStanding] {
    /// To records a content stands until the next that could be recorded; in the file it did until the first of those that the store
    /// refused before that.
    mutating func yieldToRefused() {
        let refused = filter(\.isOfRefused).map { (from: $0.version.periods[0].from, until: $0.ended) }
        if refused.isEmpty { return }
        // What is recorded at last may have been refused since it was saved.
        let saved = compactMap { standing in
            standing.version.recorded.map { (from: standing.version.modificationDate.millisecondsSince1970, until: $0) }
        }
        let spans = (refused + saved).sorted { $0.until > $1.until }
        for place in indices where self[place].rank == .earlier && self[place].version.place != .trash {
            let (from, ended) = (self[place].version.periods[0].from, self[place].ended)
            var end = ended
            // One is noticed a moment after the other.
            for span in spans where span.until > from && span.from < end && end <= span.until + 2_000 {
                end = Swift.max(span.from, from)
            }
            guard end < ended, refused.contains(where: { $0.until > end && $0.from < ended }) else { continue }
            if self[place].version.kind == .deleted { self[place].version.kind = .past }
            self[place].end(end)
        }
    }
}

extension FolderNow.Standing {
    var content: ContentHash? { if case .content(let hash, _) = self { hash } else { nil } }
}

extension FileVersion {
    /// What is known of an earlier time at which it was in force. `isSame`: of the same one, from somewhere else.
    fileprivate mutating func add(_ other: FileVersion, isSame: Bool) {
        if recorded == nil, other.recorded != nil {
            (recorded, deviceName) = (other.recorded, other.deviceName)
            modificationDate = other.modificationDate
        }
        if isSame, kind == .past, other.kind == .deleted { kind = .deleted }
        if isSame, kind == .past || kind == .deleted { replaced = replaced ?? other.replaced }
        if !hasLocalContents, other.place != .gone {
            // Stored under another name it may be there, too.
            mayHaveLeftTheStore = other.mayHaveLeftTheStore && (place == .gone || mayHaveLeftTheStore)
            place = other.place
        }
        periods += other.periods
    }
}

extension [FileVersion] {
    /// What was in force at a time; at one at which nothing was, what was before. Conflict copies never were. In milliseconds
    /// since 1970.
    package func version(at time: UInt64) -> FileVersion? {
        let known = filter { !$0.isConflict }.flatMap { version in version.periods.map { (version, $0) } }
            .filter { $0.1.from <= time }
        let inForce = known.filter { $0.1.until.map { time < $0 } ?? true }
        return (inForce.isEmpty ? known : inForce).max { $0.1.from < $1.1.from }?.0
    }
}
