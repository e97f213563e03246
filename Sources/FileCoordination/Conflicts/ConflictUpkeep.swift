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
        var known: [HeadKey: ConflictRecord] = [:]
        for record in records { known[record.key] = record }
        let reader = ViewReader(state)
        var standing: Set<HeadKey> = []
        var comparer: ConflictComparer?
        var found: [ConflictRecord] = []
        for node in nodes {
            guard let folder = try reader.path(ofNode: node) else { continue }
            for derived in try state.derivedNames(in: node) {
                let key = derived.key
                standing.insert(key)
                guard let (copy, current) = try unknown(derived, in: folder, known[key]) else { continue }
                if comparer == nil { comparer = try ConflictComparer(parts) }
                if let record = try await comparer?.record(of: derived, copy: copy, current: current) {
                    found.append(record)
                }
                if found.count >= Self.atOnce { try keep(&found, &comparer) }
            }
        }
        try keep(&found, &comparer)
        try end(records.filter { !standing.contains($0.key) })
    }

    /// So many are written down together.
    private static let atOnce = 256

    private func keep(_ found: inout [ConflictRecord], _ comparer: inout ConflictComparer?) throws {
        try comparer?.ancestors.flush()
        guard !found.isEmpty else { return }
        try state.transaction { for record in found { try state.save(record) } }
        found = []
    }

    /// Both files, where what is known is not of these two contents.
    private func unknown(
        _ derived: DerivedName, in folder: DrivePath, _ known: ConflictRecord?
    ) throws -> (copy: Row, current: Row?)? {
        guard let copy = try state.row(at: folder.appending(derived.name)), let hash = copy.hash else { return nil }
        let current = try state.row(at: folder.appending(derived.ownName))
        if let known, known.current == current?.hash, known.copy == hash { return nil }
        return (copy, current)
    }

    /// A delete against an edit stands until somebody changes the item again; all others end with their copy.
    private func end(_ records: [ConflictRecord]) throws {
        let over = try records.filter { record in
            guard record.kind == .deleteVersusEdit, let item = try state.item(record.item) else { return true }
            return !item.shape.isAlive || item.state.context != record.context
        }
        let ended = Set(over.map(\.key))
        let left = try state.conflictRecords().filter { !ended.contains($0.key) }
        let needed = Set(left.compactMap(\.ancestor))
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
