import DriveCore

/// Compares the folder with the rows and collects what differs. Reads no contents and changes nothing.
struct FolderWalk {
    let files: any FileStore
    let rows: any RowStorage
    let ignores: @Sendable (DrivePath, Bool) -> Bool
    let meetsIgnoreFile: @Sendable (any FileStore, OpenFolder, DrivePath) throws -> Bool
    let ignoreRules: @Sendable (DrivePath) -> Fingerprint

    private(set) var sightings = Sightings()
    /// Where each sighting was, for reading it.
    private(set) var places: [WalkPlace] = []
    var problems: [FoundProblem] = []
    /// Held rows whose item is back.
    private(set) var returned: [RowID] = []
    /// The tree moved under the walk: what was found does not fit together.
    private(set) var isTorn = false
    /// A file was met that another row has, which is not missing: a move of which only one end was seen, or a hard link.
    private(set) var mayHaveSeenHalf = false
    /// Something was listed and gone a moment later: it may be anywhere now.
    private(set) var hasMissed = false
    /// Rows that a rule hides and did not, and those that none hides any more.
    private(set) var hidden: Set<RowID> = []
    private(set) var shown: Set<RowID> = []
    private let hiddenBefore: Set<RowID>
    /// In the order of the walk.
    private(set) var left: [LeftFolder] = []
    /// Loose rows that are not missing: the very file was seen where it was, with other bytes or dates.
    private var foundInPlace: Set<RowID> = []
    /// The very folder was seen somewhere else.
    private var foundElsewhere: Set<RowID> = []
    private var compared: Set<RowID> = []
    private var seen: Set<FileIdentity> = []
    private var isPartial = false
    /// Folders that are just as their rows have them.
    private var asKnown: [(row: RowID, known: KnownFolder)] = []
    let offered: Set<RowID>
    private let limit: Int

    /// Files of the rows in `offered` are sighted even where they are as recorded. Folders, and what else is in one, are left
    /// once as many things as `limit` have been found.
    init(_ parts: DriveParts, offered: Set<RowID> = [], limit: Int = .max) throws {
        hiddenBefore = try HiddenRows(parts.state).topmost()
        self.offered = offered
        self.limit = limit
        files = parts.files
        rows = parts.state
        ignores = parts.options.ignores
        meetsIgnoreFile = parts.options.meetsIgnoreFile
        ignoreRules = parts.options.ignoreRules
    }

    /// Everything, or only what was touched and what is in folders that are new there. Parked folders are always looked at:
    /// they took along what people had just put into them.
    mutating func walk(only touched: TouchedPaths? = nil) throws {
        if let touched {
            isPartial = true
            var new: [DrivePath] = []
            for path in touched.folders.sorted() {
                if try compareOne(path, names: touched.names(in: path)) == .new { new.append(path) }
            }
            try compareNew(new, touched)
        } else {
            try compare(try files.open(.root), WalkPlace(), .row(.root), row: .root)
        }
        try finish()
    }

    /// What another walk left, which has rows by now: all in it, or only what is directly in it and in folders that are new
    /// there.
    mutating func walk(rest: [LeftFolder], onlyNew: Bool) throws {
        isPartial = onlyNew
        for folder in rest {
            if sightings.list.count >= limit {
                left.append(folder)
            } else if try compareOne(folder.path, rest: folder.rest) != .compared {
                // It was there a moment ago.
                isTorn = true
            }
        }
        try finish()
    }

    private mutating func finish() throws {
        for row in try rows.parkedRows() where row.kind == .folder { try compareParked(row) }
        try loosenUnvisited()
    }

    enum Comparison { case compared, absent, new }

    /// Of the folder only these names, beside those that were compared where there are more, or of one that was begun the rest.
    /// New where it has no row, or is another than was begun.
    mutating func compareOne(
        _ path: DrivePath, names: Set<FileName>? = nil, rest: LeftFolder.Rest? = nil, isMore: Bool = false
    ) throws -> Comparison {
        var open = try files.open(.root)
        var place = DrivePath.root
        for name in path.components {
            place = place.appending(name)
            // Gone, or none of ours: the folder above it tells, and has events of its own.
            guard !ignores(place, true) else { return .absent }
            switch try opened(name, in: open, place) {
            case .folder(let next): open = next
            case .absent: return .absent
            case .closed: return .compared
            }
        }
        guard let row = try rows.folder(open, at: path), rest.map({ $0.folder == open.identity }) ?? true else {
            return .new
        }
        if compared.contains(row.id), !isMore || files.foldsCase(open) { return .compared }
        let here = WalkPlace(path: path, area: .root, inArea: path)
        // What was deleted by a name in other letters is missed by its own.
        let names = files.foldsCase(open) ? nil : names
        if let rest = try rest ?? names.flatMap({ try named($0, in: open, row.id) }) {
            compared.insert(row.id)
            _ = try meetRules(among: rest.entries, in: open, path)
            var none: FolderDigest?
            try enter(try compare(rest, in: open, here, .row(row.id), row.id, &none), of: open, here)
        } else {
            try compare(open, here, .row(row.id), row: row.id)
        }
        return .compared
    }

    private mutating func compareParked(_ row: Row) throws {
        guard let open = try files.open(row.parkedName, in: files.open(.parked)), open.identity == row.facts.identity
        else { return }
        let place = WalkPlace(path: try rows.path(of: row), area: .parked, inArea: DrivePath([row.parkedName]))
        try compare(open, place, .row(row.id), row: row.id)
    }

    /// A folder and all that is in it against the rows, or against nothing. People's trees may be deeper than the stack of
    /// a thread bears.
    private mutating func compare(_ open: OpenFolder, _ place: WalkPlace, _ folder: Sighting.Folder, row: RowID?) throws
    {
        try enter(try compareAlone(open, place, folder, row: row), of: open, place)
    }

    private mutating func enter(_ inner: [WalkStack.Inner], of open: OpenFolder, _ place: WalkPlace) throws {
        var waiting = WalkStack()
        waiting.push(inner, of: open, place)
        while let (next, parent) = try waiting.pop(files) {
            if leaves(next.place, next.folder, next.row) {
                left.append(LeftFolder(path: next.place.path))
                continue
            }
            guard let parent else {
                isTorn = true
                continue
            }
            switch try opened(next.name, in: parent, next.place.path) {
            case .folder(let open):
                waiting.push(
                    try compareAlone(open, next.place, next.folder, row: next.row), of: open, next.place)
            case .absent: isTorn = true
            // Nothing in it is loose, wherever it was moved to.
            case .closed: if let row = next.row { compared.insert(row) }
            }
        }
    }

    /// It can be looked at once this much is recorded: whatever shows that more than one folder is needed to tell what
    /// happened has all of them looked at together (`missesSomething`, `mayHaveSeenHalf`). What is in a folder that was moved goes with it.
    private func leaves(_ place: WalkPlace, _ folder: Sighting.Folder, _ row: RowID?) -> Bool {
        guard sightings.list.count >= limit, place.area == .root else { return false }
        if case .row = folder { return true }
        return row == nil
    }

    /// One folder against its row, or against nothing; returns those in it to go into.
    private mutating func compareAlone(
        _ open: OpenFolder, _ place: WalkPlace, _ folder: Sighting.Folder, row: RowID?
    ) throws -> [WalkStack.Inner] {
        if let row, !compared.insert(row).inserted {
            isTorn = true
            return []
        }
        let rules = ignoreRules(place.path)
        if let row, let known = try unchanged(open, row, rules) {
            if isPartial { return [] }
            return known.folders.map {
                WalkStack.Inner(name: $0.name, place: place.appending($0.name), folder: .row($0.row), row: $0.row)
            }
        }
        return try compareEntries(open, place, folder, row, rules)
    }

    private mutating func compareEntries(
        _ open: OpenFolder, _ place: WalkPlace, _ folder: Sighting.Folder, _ row: RowID?, _ rules: Fingerprint
    ) throws -> [WalkStack.Inner] {
        guard let entries = try listing(open, place.path) else { return [] }
        let rules = try meetRules(among: entries[...], in: open, place.path) ? ignoreRules(place.path) : rules
        let rows = try row.map { try self.rows.glances(in: $0) } ?? []
        // Whatever part they are found to be missing with: what is new in an earlier one may be what was there.
        if entries.count > limit, !rows.isEmpty {
            let names = Set(entries.map(\.name))
            loosen(rows.filter { !names.contains($0.name) }, in: place.path)
        }
        let known = RowsByName(rows)
        let all = LeftFolder.Rest(folder: open.identity, entries: entries[...], known: known)
        var digest: FolderDigest? = isPartial || row == nil || known.hasTwins ? nil : FolderDigest()
        let before = (sightings.list.count, sightings.loose.count, problems.count, returned.count)
        let inner = try compare(all, in: open, place, folder, row, &digest)
        if let row, let digest,
            before == (sightings.list.count, sightings.loose.count, problems.count, returned.count)
        {
            let folders = inner.compactMap { inner in
                inner.row.map { KnownFolder.Inner(row: $0, name: inner.name) }
            }
            asKnown.append((row, KnownFolder(digest: digest, rules: rules, folders: folders)))
        }
        return inner
    }

    /// What is left of a folder against the rows that are left, or as much of it as may be. The digest goes where it is not
    /// one of a folder that is just as its rows have it.
    private mutating func compare(
        _ rest: LeftFolder.Rest, in open: OpenFolder, _ place: WalkPlace, _ folder: Sighting.Folder, _ row: RowID?,
        _ digest: inout FolderDigest?
    ) throws -> [WalkStack.Inner] {
        let path = place.path
        var known = rest.known
        var inner: [WalkStack.Inner] = []
        for (number, entry) in zip(rest.entries.indices, rest.entries) {
            if leaves(place, folder, row) {
                var later = rest
                (later.entries, later.known) = (rest.entries[number...], known)
                left.append(LeftFolder(path: path, rest: later))
                digest = nil
                return inner
            }
            let child = known.take(entry.name, inode: entry.inode)
            let childPath = path.appending(entry.name)
            if child?.isDerived != true, ignores(childPath, entry.kind == .folder) {
                try add(to: &digest, entry.name, of: open)
                // Something else may have had the name, which no rule names.
                if let child { hide(child, at: childPath) }
                continue
            }
            if let child { show(child.id) }
            guard let facts = try files.look(at: entry.name, in: open) else {
                hasMissed = true
                digest = nil
                if let child { loosen(child.id) }
                continue
            }
            add(to: &digest, entry.name, facts)
            let innerPlace = place.appending(entry.name)
            guard let (folder, row) = try sight(facts, entry.name, innerPlace, in: folder, row: child) else { continue }
            // What is touched itself was closed, or away, so that what happened in it may have gone unseen.
            let isTouched = rest.isNamed && child?.facts.changed != facts.changed
            if isPartial, !isTouched, case .row = folder { continue }
            inner.append(WalkStack.Inner(name: entry.name, place: innerPlace, folder: folder, row: row))
        }
        loosen(known.rest, in: path)
        if !known.isAllTaken { digest = nil }
        return inner
    }

    /// Remembers which folders were just as their rows have them. In the transaction in which they were compared.
    func keepKnown() throws {
        for (row, known) in asKnown { try rows.setKnownFolder(known, row) }
    }

    /// Notes what differs, and returns what stands for the folder to go into.
    private mutating func sight(
        _ facts: FileFacts, _ name: FileName, _ place: WalkPlace, in folder: Sighting.Folder, row: RowGlance?
    ) throws -> (Sighting.Folder, RowID?)? {
        if facts.kind == .other || facts.isForeignMount {
            let what =
                facts.isForeignMount
                ? "another file system, or a subvolume of its own, is here; what is on it is not synced"
                : "sockets, pipes and devices are not synced"
            let cause = facts.isForeignMount ? Cause.otherFileSystem : .specialFile
            problems.append(FoundProblem(place.path, what, cause))
            return nil
        }
        if facts.kind == .folder {
            if let row, row.kind == .folder, row.facts.identity == facts.identity {
                if row.isHeld { returned.append(row.id) }
                // What is put into a folder or taken out sets this time too, so only a read tells.
                if row.facts.changed != facts.changed {
                    sightings.list[add(facts, name, place, folder)].folderInPlace = row.id
                }
                return (.row(row.id), row.id)
            }
            if let row { loosen(row.id) }
            let known = try rows.row(identity: facts.identity).flatMap { $0.kind == .folder ? $0 : nil }
            if let known {
                loosen(known.id)
                // Met in its old place as well, the tree is torn.
                if facts.identity.birth != nil { foundElsewhere.insert(known.id) }
            }
            return (.sighting(add(facts, name, place, folder)), known?.id)
        }
        if let row {
            if row.facts.looksUnchanged(since: facts), !offered.contains(row.id) {
                if row.isHeld { returned.append(row.id) }
                return nil
            }
            loosen(row.id)
            // Without a birth time an inode may be another file's by now.
            if row.kind != .folder, facts.identity == row.facts.identity, facts.identity.birth != nil {
                foundInPlace.insert(row.id)
            }
        }
        if !mayHaveSeenHalf, let other = try rows.row(identity: facts.identity), other.id != row?.id {
            mayHaveSeenHalf = true
        }
        _ = add(facts, name, place, folder)
        return nil
    }

    /// A new folder that is met twice has moved meanwhile; a new file has, or is a hard link.
    private mutating func noteMet(_ facts: FileFacts) {
        guard !seen.insert(facts.identity).inserted else { return }
        if facts.kind == .folder { isTorn = true } else { mayHaveSeenHalf = true }
    }

    private mutating func add(
        _ facts: FileFacts, _ name: FileName, _ place: WalkPlace, _ folder: Sighting.Folder
    ) -> Int {
        noteMet(facts)
        sightings.list.append(Sighting(folder: folder, name: name, facts: facts))
        places.append(place)
        return sightings.list.count - 1
    }

    private mutating func loosen(_ row: RowID) {
        show(row)
        sightings.loose.insert(row)
    }

    /// What is missing in the folder, but for what is ignored: a rule never deletes anything.
    private mutating func loosen(_ missing: [RowGlance], in path: DrivePath) {
        for row in missing {
            if row.isDerived { loosen(row.id) } else { hide(row, at: path.appending(row.name)) }
        }
    }

    /// Loosens what no rule hides.
    private mutating func hide(_ row: RowGlance, at path: DrivePath) {
        guard ignores(path, row.kind == .folder) else { return loosen(row.id) }
        if !hiddenBefore.contains(row.id) { hidden.insert(row.id) }
    }

    private mutating func show(_ row: RowID) {
        if !hiddenBefore.isEmpty, hiddenBefore.contains(row) { shown.insert(row) }
    }

    /// What was in a folder that is not where it was, and has not been seen elsewhere, is loose with it.
    private mutating func loosenUnvisited() throws {
        var waiting = sightings.loose.filter { !compared.contains($0) }
        while let id = waiting.popFirst() {
            for child in try rows.children(of: id)
            where !compared.contains(child.id) && !sightings.loose.contains(child.id) {
                // An ignore rule never deletes anything, not even with its folder.
                let path = try rows.path(of: child)
                if !child.isDerived, ignores(path, child.kind == .folder) { continue }
                loosen(child.id)
                if child.kind == .folder { waiting.insert(child.id) }
            }
        }
    }

    /// Hands over what was found, which is then nowhere else in memory.
    mutating func takeSightings() -> Sightings {
        defer { sightings = Sightings() }
        return sightings
    }

    /// Whether something was not seen that has a row, so that it may be gone; also where a folder came from elsewhere, as
    /// long as not all has been looked at.
    var missesSomething: Bool {
        sightings.loose.contains { row in
            !foundInPlace.contains(row) && (!left.isEmpty || !foundElsewhere.contains(row))
        }
    }
}
