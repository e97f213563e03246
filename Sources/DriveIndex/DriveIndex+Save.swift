import DriveCore

// Of an item that changed only what differs is written: mostly its shape.
extension DriveIndex {
    public func save(_ item: StoredItem) throws {
        try transaction {
            try makeRoom()
            _ = try itemAtHand(item.id)
            items.save(item)
            filter?.note(item)
        }
    }

    /// Brings an item into the tables.
    func write(_ entry: ItemsAtHand.Entry, of id: ItemID) throws {
        guard let item = entry.item else { return try writeOwn(entry.own, try keys.key(of: id)) }
        guard let key = entry.key, let saved = entry.saved else { return try insert(item, entry.own) }
        if saved.state != item.state {
            try updateState(item.state, try StateCoding.encode(item.state, keys), key)
            try index(item.state, replacing: saved.state, key)
        }
        try updateShape(item.shape, saved.shape, key)
        if entry.own != entry.savedOwn { try writeOwn(entry.own, key) }
    }

    private func insert(_ item: StoredItem, _ own: OwnRecord?) throws {
        let shape = item.shape
        let key = try connection.first(
            Self.insertItem, .id(item.id), .int(Int64(item.state.kind.rawValue)),
            .int(try keys.key(of: item.state.parent)), .optional(try shape.parent.map(keys.key)),
            .optional(try shape.node.map(keys.key)), .bool(shape.isAlive), .int(Int64(shape.shownChildren)),
            .name(item.state.name.value),
            .blob(try StateCoding.encode(item.state, keys)), own.map { .bits($0.n) } ?? .null,
            own.map { .bits($0.covered) } ?? .null
        ) { $0.int(0) }
        guard let key else { throw DriveError(.internalFault, "The index did not take an item") }
        keys.add(item.id, key)
        try index(item.state, replacing: nil, key)
    }

    private func updateState(_ state: ItemState, _ bytes: [UInt8], _ key: Int64) throws {
        try connection.run(
            Self.updateState, .int(key), .int(Int64(state.kind.rawValue)), .int(try keys.key(of: state.parent)),
            .name(state.name.value), .blob(bytes))
    }

    private func updateShape(_ shape: ItemShape, _ saved: ItemShape, _ key: Int64) throws {
        if shape.parent != saved.parent || shape.node != saved.node {
            try connection.run(
                Self.updatePlace, .int(key), .optional(try shape.parent.map(keys.key)),
                .optional(try shape.node.map(keys.key)))
        }
        if shape.isAlive != saved.isAlive || shape.shownChildren != saved.shownChildren {
            try connection.run(Self.updateCounts, .int(key), .bool(shape.isAlive), .int(Int64(shape.shownChildren)))
        }
    }

    private func writeOwn(_ own: OwnRecord?, _ key: Int64) throws {
        try connection.run(
            Self.setOwnRecord, .int(key), own.map { .bits($0.n) } ?? .null, own.map { .bits($0.covered) } ?? .null)
    }

    /// Keeps the tables of marks and chunks.
    private func index(_ state: ItemState, replacing old: ItemState?, _ key: Int64) throws {
        let folders = state.markFolders
        let oldFolders = old?.markFolders ?? []
        for folder in oldFolders.subtracting(folders) {
            try connection.run(Self.removeMark, .int(try keys.key(of: folder)), .int(key))
        }
        for folder in folders.subtracting(oldFolders) {
            try connection.run(Self.addMark, .int(try keys.key(of: folder)), .int(key))
        }
        let chunks = state.chunks
        let prefixes = Set(chunks.map(\.id.words.0))
        let oldPrefixes = Set(old?.chunks.map(\.id.words.0) ?? [])
        for prefix in oldPrefixes.subtracting(prefixes) {
            try connection.run(Self.removeChunk, .bits(prefix), .int(key))
        }
        for prefix in prefixes.subtracting(oldPrefixes) {
            try connection.run(Self.addChunk, .bits(prefix), .int(key))
            filter?.note(.chunk, prefix)
        }
        try forgetUploaded(chunks)
    }

    // A folder that is its own node got a key on the way.
    private static let insertItem = Query(
        """
        INSERT INTO item (uid, kind, parent, eff, node, alive, shownChildren, name, state, own, covered)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        ON CONFLICT (uid) DO UPDATE SET kind = ?2, parent = ?3, eff = ?4, node = ?5, alive = ?6, shownChildren = ?7,
            name = ?8, state = ?9, own = ?10, covered = ?11
        RETURNING key
        """)
    private static let updateState = Query(
        "UPDATE item SET kind = ?2, parent = ?3, name = ?4, state = ?5 WHERE key = ?1")
    private static let updatePlace = Query("UPDATE item SET eff = ?2, node = ?3 WHERE key = ?1")
    private static let updateCounts = Query("UPDATE item SET alive = ?2, shownChildren = ?3 WHERE key = ?1")
    private static let setOwnRecord = Query("UPDATE item SET own = ?2, covered = ?3 WHERE key = ?1")
    private static let addMark = Query("INSERT INTO mark (folder, item) VALUES (?, ?)")
    private static let removeMark = Query("DELETE FROM mark WHERE folder = ? AND item = ?")
    private static let addChunk = Query("INSERT INTO chunk (prefix, item) VALUES (?, ?)")
    private static let removeChunk = Query("DELETE FROM chunk WHERE prefix = ? AND item = ?")
}
