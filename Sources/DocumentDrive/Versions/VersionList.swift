import DriveCore
import DriveFiles
import FileCoordination

/// Gathers what is known of a file's contents: the folder, rows, records, past versions, trash.
struct VersionList {
    private let state: any DriveState
    private let folder: FolderNow
    private let labels: DeviceLabels
    private let trash: TrashByPath
    private let log = LogRead()
    private let device: DeviceID
    /// Nil where nothing waits to be sent.
    private let unsent: UnsentContents?
    private let left: LeftContents
    private let collection: CollectionMemory
    private let clock: any WallClock
    /// The time that this device has seen pass.
    private let seen: UInt64
    private let published: OwnRecords
    private let pending: PendingContents
    /// When deletes were noticed that are held.
    private let noticed: [RowID: UInt64]

    init(
        _ state: any DriveState, _ folder: FolderNow, _ unsent: UnsentContents? = nil,
        clock: any WallClock = SystemClock()
    ) throws {
        self.state = state
        self.clock = clock
        self.unsent = unsent?.folder.exists == true ? unsent : nil
        self.folder = folder
        labels = try state.labels()
        device = try state.numbers().device
        left = try LeftContents.load(from: state)
        collection = try CollectionMemory.load(from: state)
        seen = try state.seenTime(at: clock.milliseconds()).now
        published = try OwnRecords(state)
        pending = PendingContents(state)
        noticed = try state.heldRowCount() == 0 ? [:] : HeldSince(state).times()
        trash = try TrashByPath(state, log)
    }

    func versions(of path: DrivePath) throws -> [FileVersion] {
        let now = try folder.readableStanding(path)
        var row = try state.row(at: path)
        if row == nil, now == .nothing { row = try state.rowAside(at: path) }
        // What waits for its place is not gone from it.
        let content = row?.isParked == true ? row?.hash : now.content
        var items = Set(row?.members.map(\.item) ?? [])
        items.formUnion(try state.items(named: path))
        var found: [VersionStanding] = []
        for item in items.sorted() { found += try standings(of: item, at: path, content) }
        let entries = try trash.entries(of: path)
        let trashed = try trashed(entries, at: path, now)
        try end(&found, at: path, trashed)
        found += trashed
        if let row, let hash = row.hash, hash == content {
            found.append(try current(row, hash, path))
        } else {
            // What a pass has seen there last may be what the store refuses, of which there is no record.
            let last = entries.last { $0.reason == .refused }?.hash ?? row?.hash
            found.displace(last, by: now, at: path, row.flatMap { $0.isHeld ? noticed[$0.id] : nil })
        }
        if row == nil, now == .nothing { found += try renamed(at: path, found) }
        found.yieldToRefused()
        return found.merged().map { version in
            var version = version
            version.lookAtPlace(now: clock.milliseconds())
            return version
        }
    }

    /// What was here last, in a folder that got another name before it was deleted, or since: records know the last name only,
    /// and the log those that things had then. `known`: what is found by the path itself.
    private func renamed(at path: DrivePath, _ known: [VersionStanding]) throws -> [VersionStanding] {
        if let newest = try state.newestEvent(at: path), newest.isGone, known.contains(where: { $0.isWhat(newest) }) {
            return []
        }
        guard case .gone(let departure)? = try log.history(of: state).fate(of: path),
            let hash = departure.event.before
        else { return [] }
        var found = try departure.recorded == path ? [] : recorded(hash, named: departure.recorded, at: path)
        if let last = found.indices.filter({ found[$0].version.kind == .deleted && found[$0].version.content == hash })
            .max(by: { found[$0] < found[$1] }), found[last].ended <= departure.event.time
        {
            found[last].end(departure.event.time)
        }
        if !found.isEmpty { return found }
        // By a name that it never had here, as another device has given it that heard of the delete later.
        if known.max(by: <)?.version.content != hash {
            found = try logged(hash, until: departure.event.time, at: path, .deleted)
        }
        var told = Set((known + found).map(\.version.content))
        for event in try log.history(of: state).replacements(at: path, before: departure.event) {
            guard let content = event.before, told.insert(content).inserted else { continue }
            found += try logged(content, until: event.time, at: path, .past)
        }
        return found
    }

    /// All that records have of the file, by the name that they know.
    private func recorded(_ hash: ContentHash, named place: DrivePath, at path: DrivePath) throws -> [VersionStanding] {
        let item = try state.items(named: place).first { id in
            guard let item = try state.item(id), !item.shape.isAlive else { return false }
            return item.state.heads.contains { $0.content.hash == hash }
        }
        return try item.map { try standings(of: $0, at: path, nil) } ?? []
    }

    /// What the log tells of it: its folder was renamed more often than the log goes back, or by who did not know that it was gone.
    private func logged(
        _ hash: ContentHash, until end: UInt64, at path: DrivePath, _ kind: FileVersion.Kind
    ) throws -> [VersionStanding] {
        guard let content = try state.contents([hash])[hash] else { return [] }
        let since = min(content.modified.millisecondsSince1970, end)
        var version = FileVersion(
            path: path, content: hash, size: content.size, modificationDate: content.modified, replaced: end,
            kind: kind, place: .store, periods: [FileVersion.Period(from: since, until: end)])
        try place(&version, content)
        return [VersionStanding(version, ended: end)]
    }

    /// Where something was, and nothing is now.
    struct Missing {
        var path: DrivePath
        var isFolder: Bool
        /// Of what no pass has missed yet.
        var row: RowID?
    }

    func missing(in place: DrivePath, unseen: (DriveError) -> Void) throws -> [Missing] {
        var paths = Set(trash.paths.filter { $0.isInside(place) })
        var folders: Set<DrivePath> = []
        for (path, departure) in try log.history(of: state).renamedDepartures(in: place) {
            if departure.event.before == nil { folders.insert(path) } else { paths.insert(path) }
        }
        var waiting = try state.items(named: place).map { (place, $0) }
        if place.isRoot { waiting = [(place, .root)] }
        while let (path, id) = waiting.popLast() {
            let item = try state.item(id)
            guard id == .root || item?.state.kind == .folder else {
                paths.insert(path)
                continue
            }
            // What others have and this device has not brought was not deleted.
            if id != .root, try item?.shape.isAlive == false || state.row(at: path) != nil { folders.insert(path) }
            for child in try state.children(of: id, named: nil) {
                waiting.append((path.appending(child.state.name.value), child.id))
            }
        }
        return try folder.missing(of: paths.union(folders).sorted(), unseen: unseen).compactMap { path in
            let row = try state.row(at: path)
            if try row == nil && state.rowAside(at: path) != nil { return nil }
            return Missing(path: path, isFolder: !paths.contains(path), row: row?.id)
        }
    }

    private func current(_ row: Row, _ hash: ContentHash, _ path: DrivePath) throws -> VersionStanding {
        let dot = row.members.first?.dots.first
        let head = try row.members.first.flatMap { member in
            try dot.flatMap { try state.item(member.item)?.state.head($0) }
        }
        let recorded = try head.map { try self.recorded($0, at: path) }
        let since = recorded ?? row.facts.modified.millisecondsSince1970
        let version = FileVersion(
            path: path, content: hash, size: row.facts.size, modificationDate: row.facts.modified,
            deviceName: head.map { labels.text($0.dot) }, recorded: recorded, kind: .current,
            place: .folder, periods: [FileVersion.Period(from: since)])
        return VersionStanding(version, ended: .max)
    }

    /// `now`: the content that is at the path.
    private func standings(
        of item: ItemID, at path: DrivePath, _ now: ContentHash?
    ) throws -> [VersionStanding] {
        guard let stored = try state.item(item), stored.state.kind.hasContent else { return [] }
        let past = try state.pastVersions(of: item)
        var result = try past.map {
            VersionStanding(try version($0.head, at: path, .past, until: $0.until), ended: $0.until)
        }
        // A delete tells of what the file held before where the store never got what it held last (`UnsentDeletes`).
        func standsIn(_ head: Head) -> Bool { !stored.shape.isAlive && past.has(head) }
        if stored.state.heads.contains(where: standsIn), let last = result.indices.last {
            result[last].version.kind = .deleted
            if result[last].version.place == .kept { result[last].version.place = .unsent }
        }
        let lastPast = past.map(\.until).max() ?? 0
        let own = try state.row(at: path)?.id
        let rows = try state.rows(holding: item).filter { $0.id != own || $0.hash == now }
        for head in stored.state.heads where !standsIn(head) {
            let isHere = rows.contains { !$0.isDerived && $0.hash == head.content.hash }
            if isHere { continue }
            // One that was resolved is in the trash, also where no pass has looked since.
            let isCopy = try rows.contains { row in
                try row.isDerived && row.hash == head.content.hash
                    && folder.readableStanding(state.path(of: row)) != .nothing
            }
            let kind = isCopy ? FileVersion.Kind.conflict : stored.shape.isAlive ? .past : .deleted
            // What another device has written may be older than when this one learned of what it replaced.
            let version = try version(head, at: path, kind)
            let ended = max(version.periods[0].from, lastPast)
            result.append(VersionStanding(version, ended: ended))
        }
        return result
    }

    private func version(
        _ head: Head, at path: DrivePath, _ kind: FileVersion.Kind, until: UInt64? = nil
    ) throws -> FileVersion {
        let recorded = try recorded(head, at: path, until: until)
        let period = FileVersion.Period(from: recorded, until: until)
        var version = FileVersion(
            path: path, content: head.content.hash, size: head.content.size, modificationDate: head.content.modified,
            deviceName: labels.text(head.dot), recorded: recorded, replaced: until, kind: kind,
            place: .folder, periods: [period])
        if kind != .conflict { try place(&version, head.content) }
        // Records alone have these.
        if version.place == .store, head.content.hasNoBytesOnAStore, !published.has(head.dot) {
            version.place = .unsent
        }
        return version
    }

    /// Records are later than what they follow, though another device's clock be ahead: when this device made one the log tells.
    private func recorded(_ head: Head, at path: DrivePath, until: UInt64? = nil) throws -> UInt64 {
        let time = head.time.milliseconds
        guard head.dot.device == device, head.time.isPushed else { return time }
        // What is recorded is logged a moment later.
        let latest = min(time + 2_000, until ?? .max)
        let logged = try log.history(of: state).madeHere(head.content.hash, at: path, through: latest)
        return min(logged ?? time, time, until ?? time)
    }

    /// Where the bytes are of what is not in the folder.
    private func place(_ version: inout FileVersion, _ content: Content) throws {
        if unsent?.has(content) == true {
            version.place = try pending.has(content.hash) ? .unsent : .kept
            return
        }
        switch left.standing(of: content) {
        case .kept:
            version.place = .store
            version.mayHaveLeftTheStore = collection.isOld(content, CollectionRule(), now: seen)
        case .given: (version.place, version.mayHaveLeftTheStore) = (.store, true)
        case .removed, .missed: version.place = .gone
        // Nobody deleted its file, which went on without it.
        case .givenUp: (version.place, version.kind) = (.gone, .past)
        }
    }

    /// No record tells when something was deleted: the log does, and the trash of what was deleted elsewhere, but where another
    /// content took its place: that is of a file that had it later.
    private func end(_ found: inout [VersionStanding], at path: DrivePath, _ trashed: [VersionStanding]) throws {
        let deleted = found.indices.filter { found[$0].version.kind == .deleted }
        for place in deleted {
            let kept = trashed.filter { !$0.isReplaced && $0.version.content == found[place].version.content }
                .map(\.ended).max()
            if let kept, kept >= found[place].ended { found[place].end(kept) }
        }
        if let event = try state.newestEvent(at: path), event.isGone,
            let last = deleted.max(by: { found[$0] < found[$1] }), found[last].version.content == event.before,
            event.time >= found[last].ended
        {
            let isTrashed = trashed.contains { $0.ended == found[last].ended }
            if !isTrashed { found[last].end(event.time) }
        }
        // Another file came there since.
        for place in deleted where found[place].version.replaced == nil {
            let content = found[place].version.content
            let history = try log.history(of: state)
            let event = try history.deletion(of: content, at: path) ?? departure(of: content, at: path, history)
            if let event, event.time >= found[place].ended { found[place].end(event.time) }
        }
    }

    /// By another name, which it had here.
    private func departure(
        of content: ContentHash, at path: DrivePath, _ history: PathHistory
    ) throws -> DriveEvent? {
        for item in try state.deadItems(named: path) where item.holds(content) {
            if let event = try state.departure(of: item, history) { return event }
        }
        return nil
    }

    /// An entry whose file is not there is none: an act that was interrupted has written it down.
    private func trashed(
        _ entries: [TrashEntry], at path: DrivePath, _ now: FolderNow.Standing
    ) throws -> [VersionStanding] {
        try entries.compactMap { entry in
            guard let (entry, facts) = try folder.files.asItIs(entry), let hash = entry.hash else { return nil }
            let isRefused = entry.reason == .refused
            if isRefused, hash == now.content { return nil }
            let since = min(facts.modified.millisecondsSince1970, entry.time)
            let version = FileVersion(
                path: path, content: hash, size: facts.size, modificationDate: facts.modified, replaced: entry.time,
                kind: entry.reason == .deleted || isRefused && now == .nothing ? .deleted : .past, place: .trash,
                periods: [FileVersion.Period(from: since, until: entry.time)])
            var standing = VersionStanding(version, ended: entry.time)
            standing.isReplaced = entry.reason == .replaced || entry.reason == .restored
            standing.isOfRefused = entry.isOfRefused
            return standing
        }
    }
}

extension VersionStanding {
    /// The content that went then, as records have it: the trash alone does not tell what the file held before.
    fileprivate func isWhat(_ gone: DriveEvent) -> Bool {
        version.kind == .deleted && version.place != .trash && version.content == gone.before && ended >= gone.time
    }

    mutating func end(_ time: UInt64) {
        ended = time
        version.replaced = time
        version.periods[0].until = time
    }
}

extension FileVersion {
    /// Others go on without a device that is away for too long, which the clock alone tells it.
    fileprivate mutating func lookAtPlace(now: UInt64) {
        guard place == .store, kind == .past || kind == .deleted else {
            mayHaveLeftTheStore = false
            return
        }
        let rule = CollectionRule()
        if let replaced, replaced + rule.age + rule.patience < now { mayHaveLeftTheStore = true }
    }
}
