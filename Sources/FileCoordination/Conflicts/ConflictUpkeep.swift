import DriveCore

/// Computes once what is to be known of each conflict: its class, and the content that both sides come from, which is
/// kept here while the conflict stands, so that a three-way merge has its base with no store in reach.
struct ConflictUpkeep {
    let parts: DriveParts
    private let state: any DriveState

    init(_ parts: DriveParts) {
        self.parts = parts
        state = parts.state
    }

    /// That all is known of each conflict, and when that was so.
    struct Settled {
        fileprivate var mark: UInt64
        fileprivate var areThereAny = false
        /// Those that an item's state decides about.
        fileprivate var deletes: [ConflictRecord] = []
    }

    /// After an apply: only what is on this disk as the view shows it can be compared. Nil where some could not be.
    func run(since known: Settled? = nil) async throws -> Settled? {
        let changes = try state.changedPlaces(since: known?.mark)
        if var known, let places = changes.places, try areAsTheyWere(known, but: places) {
            if parts.options.checksView { try check() }
            known.mark = changes.mark
            return known
        }
        let nodes = try state.nodesWithDerivedNames()
        let records = try state.conflictRecords()
        var settled = Settled(mark: changes.mark)
        guard !nodes.isEmpty || !records.isEmpty else { return settled }
        settled.areThereAny = true
        let kept = Dictionary(records.map { ($0.key, $0) }) { $1 }
        let reader = ViewReader(state)
        var standing: Set<HeadKey> = []
        var comparer: ConflictComparer?
        var found: [ConflictRecord] = []
        var areAllKnown = true
        for node in nodes {
            let folder = try reader.path(ofNode: node)
            if folder == nil { areAllKnown = false }
            guard let folder else { continue }
            for derived in try state.derivedNames(in: node) {
                let key = derived.key
                standing.insert(key)
                let files = try files(of: derived, in: folder)
                if let record = kept[key], files?.areOf(record) ?? false { continue }
                if files != nil, comparer == nil { comparer = try ConflictComparer(parts) }
                if let files,
                    let record = try await comparer?.record(
                        of: derived, copy: files.copy, current: files.current)
                {
                    found.append(record)
                } else {
                    areAllKnown = false
                }
                if found.count >= Self.atOnce { try keep(&found, &comparer) }
            }
        }
        try keep(&found, &comparer)
        settled.deletes = try end(records.filter { !standing.contains($0.key) })
        return areAllKnown ? settled : nil
    }

    /// Whether nothing has happened to any conflict, where only in these places something has.
    private func areAsTheyWere(_ known: Settled, but places: Set<RowPlace>) throws -> Bool {
        guard known.areThereAny else { return true }
        let reader = ViewReader(state)
        return try known.deletes.allSatisfy(stands) && !places.contains { try isOfConflict($0, reader) }
    }

    private func isOfConflict(_ place: RowPlace, _ reader: ViewReader) throws -> Bool {
        // Of what went with its folder nobody can tell.
        guard let folder = try state.row(place.folder), !folder.members.isEmpty else { return true }
        return try folder.members.contains { member in
            guard let node = try reader.node(of: member.item) else { return true }
            return try state.derivedName(place.name, in: node) != nil
                || !state.derivedNames(of: GroupKey(node: node, name: place.name)).isEmpty
        }
    }

    /// For simulations: that nothing is passed over.
    private func check() throws {
        let known = Dictionary(try state.conflictRecords().map { ($0.key, $0) }) { $1 }
        for node in try state.nodesWithDerivedNames() {
            guard let folder = try ViewReader(state).path(ofNode: node) else { continue }
            for derived in try state.derivedNames(in: node) {
                guard let files = try files(of: derived, in: folder) else { continue }
                guard let record = known[derived.key], files.areOf(record) else {
                    throw DriveError(
                        .internalFault, "a conflict was passed over", path: "\(folder.appending(derived.name))")
                }
            }
        }
    }

    /// So many are written down together.
    private static let atOnce = 256

    private func keep(_ found: inout [ConflictRecord], _ comparer: inout ConflictComparer?) throws {
        try comparer?.ancestors.flush()
        guard !found.isEmpty else { return }
        try state.transaction { for record in found { try state.save(record) } }
        found = []
    }

    private struct Files {
        var copy: Row
        var current: Row?

        func areOf(_ record: ConflictRecord) -> Bool {
            record.current == current?.hash && record.copy == copy.hash
        }
    }

    /// Nil where the copy is not here.
    private func files(of derived: DerivedName, in folder: DrivePath) throws -> Files? {
        guard let copy = try state.row(at: folder.appending(derived.name)), copy.hash != nil else { return nil }
        return Files(copy: copy, current: try state.row(at: folder.appending(derived.ownName)))
    }

    /// Whether a delete against an edit stands: until somebody changes the item again.
    private func stands(_ record: ConflictRecord) throws -> Bool {
        guard record.kind == .deleteVersusEdit, let item = try state.item(record.item) else { return false }
        return item.shape.isAlive && item.state.context == record.context
    }

    /// All others than deletes against edits end with their copy. Returns those that stand.
    private func end(_ records: [ConflictRecord]) throws -> [ConflictRecord] {
        var (over, standing): ([ConflictRecord], [ConflictRecord]) = ([], [])
        for record in records { if try stands(record) { standing.append(record) } else { over.append(record) } }
        let ended = Set(over.map(\.key))
        let left = try state.conflictRecords().filter { !ended.contains($0.key) }
        let needed = Set(left.compactMap(\.ancestor))
        let entries = try state.trash().filter { entry in
            entry.reason == .ancestor && entry.hash.map(needed.contains) != true
        }
        guard !over.isEmpty || !entries.isEmpty else { return standing }
        for entry in entries { try parts.files.discard(entry.name, in: .trash) }
        try state.transaction {
            for record in over { try state.removeConflictRecord(of: record.item, record.dot) }
            for entry in entries { try state.removeTrash(entry.name) }
        }
        return standing
    }
}
