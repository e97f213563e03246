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

    /// After an apply: only what is on this disk as the view shows it can be compared.
    func run() async throws {
        let nodes = try state.nodesWithDerivedNames()
        let records = try state.conflictRecords()
        guard !nodes.isEmpty || !records.isEmpty else { return }
        var known: [ConflictKey: ConflictRecord] = [:]
        for record in records { known[ConflictKey(record.item, record.dot)] = record }
        let reader = ViewReader(state)
        var standing: Set<ConflictKey> = []
        for node in nodes {
            guard let folder = try reader.path(ofNode: node) else { continue }
            for derived in try state.derivedNames(in: node) {
                let key = ConflictKey(derived.item, derived.dot)
                standing.insert(key)
                try await look(at: derived, in: folder, known[key])
            }
        }
        try end(records.filter { !standing.contains(ConflictKey($0.item, $0.dot)) })
    }

    private func look(at derived: DerivedName, in folder: DrivePath, _ known: ConflictRecord?) async throws {
        guard let copy = try state.row(at: folder.appending(derived.name)), let copyHash = copy.hash else { return }
        let current = try state.row(at: folder.appending(derived.ownName))
        if let known, known.current == current?.hash, known.copy == copyHash { return }
        let comparison = ConflictComparer(parts)
        guard let record = try await comparison.record(of: derived, copy: copy, current: current) else { return }
        try state.transaction { try state.save(record) }
    }

    /// A delete against an edit stands until somebody changes the item again; all others end with their copy.
    private func end(_ records: [ConflictRecord]) throws {
        let over = try records.filter { record in
            guard record.kind == .deleteVersusEdit, let item = try state.item(record.item) else { return true }
            return !item.shape.isAlive || item.state.context != record.context
        }
        let needed = Set(try state.conflictRecords().filter { !over.contains($0) }.compactMap(\.ancestor))
        let entries = try state.trash().filter { entry in
            entry.reason == .ancestor && entry.hash.map(needed.contains) != true
        }
        guard !over.isEmpty || !entries.isEmpty else { return }
        for entry in entries { try parts.files.discard(entry.name, in: .trash) }
        try state.transaction {
            for record in over { try state.removeConflictRecord(of: record.item, record.dot) }
            for entry in entries { try state.removeTrash(entry.name) }
        }
    }
}

private struct ConflictKey: Hashable {
    var item: ItemID
    var dot: Dot

    init(_ item: ItemID, _ dot: Dot) {
        self.item = item
        self.dot = dot
    }
}
