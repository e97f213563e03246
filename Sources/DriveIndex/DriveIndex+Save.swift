import DriveCore

// Saving an item writes only what differs: most saves change the shape alone.
extension DriveIndex {
    public func save(_ item: StoredItem) throws {
        try transaction {
            // First, since it may give the item a key.
            let state = try StateCoding.encode(item.state, keys)
            guard let old = try connection.first(Self.saved, .id(item.id), read: { SavedItem($0) }) else {
                return try insert(item, state)
            }
            if try !old.holds(item.state, state, parent: keys.key(of: item.state.parent)) {
                let oldState = old.kind == nil ? nil : try self.item(key: old.key)?.state
                try updateState(item.state, state, old.key)
                try index(item.state, replacing: oldState, old.key)
            }
            try updateShape(item.shape, old)
        }
    }

    private func insert(_ item: StoredItem, _ state: [UInt8]) throws {
        let shape = item.shape
        let key = try connection.first(
            Self.insertItem, .id(item.id), .int(Int64(item.state.kind.rawValue)),
            .int(try keys.key(of: item.state.parent)), .optional(try shape.parent.map(keys.key)),
            .optional(try shape.node.map(keys.key)), .bool(shape.isAlive), .int(Int64(shape.shownChildren)),
            .name(item.state.name.value), .blob(state)
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

    private func updateShape(_ shape: ItemShape, _ old: SavedItem) throws {
        let parent = try shape.parent.map(keys.key)
        let node = try shape.node.map(keys.key)
        if parent != old.eff || node != old.node {
            try connection.run(Self.updatePlace, .int(old.key), .optional(parent), .optional(node))
        }
        if shape.isAlive != old.isAlive || shape.shownChildren != old.shownChildren {
            try connection.run(
                Self.updateCounts, .int(old.key), .bool(shape.isAlive), .int(Int64(shape.shownChildren)))
        }
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
        }
        try forgetUploaded(chunks)
    }

    private static let saved = Query(
        "SELECT key, kind, parent, eff, node, alive, shownChildren, name, state FROM item WHERE uid = ?")
    // A folder that is its own node got a key on the way.
    private static let insertItem = Query(
        """
        INSERT INTO item (uid, kind, parent, eff, node, alive, shownChildren, name, state)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT (uid) DO UPDATE SET kind = ?2, parent = ?3, eff = ?4, node = ?5, alive = ?6, shownChildren = ?7,
            name = ?8, state = ?9
        RETURNING key
        """)
    private static let updateState = Query(
        "UPDATE item SET kind = ?2, parent = ?3, name = ?4, state = ?5 WHERE key = ?1")
    private static let updatePlace = Query("UPDATE item SET eff = ?2, node = ?3 WHERE key = ?1")
    private static let updateCounts = Query("UPDATE item SET alive = ?2, shownChildren = ?3 WHERE key = ?1")
    private static let addMark = Query("INSERT INTO mark (folder, item) VALUES (?, ?)")
    private static let removeMark = Query("DELETE FROM mark WHERE folder = ? AND item = ?")
    private static let addChunk = Query("INSERT INTO chunk (prefix, item) VALUES (?, ?)")
    private static let removeChunk = Query("DELETE FROM chunk WHERE prefix = ? AND item = ?")
}

/// The columns as they are.
private struct SavedItem {
    var key: Int64
    /// Nil for an item that is only named.
    var kind: Int64?
    var parent: Int64?
    var eff: Int64?
    var node: Int64?
    var isAlive: Bool
    var shownChildren: Int
    var name: FileName
    var state: [UInt8]

    init(_ row: borrowing Cursor) {
        key = row.int(0)
        kind = row.optionalInt(1)
        parent = row.optionalInt(2)
        eff = row.optionalInt(3)
        node = row.optionalInt(4)
        isAlive = row.int(5) != 0
        shownChildren = Int(row.int(6))
        name = row.name(7)
        state = row.blob(8)
    }

    func holds(_ state: ItemState, _ bytes: [UInt8], parent: Int64) -> Bool {
        kind == Int64(state.kind.rawValue) && self.parent == parent && name == state.name.value && self.state == bytes
    }
}
