import DriveCore

// What the journal must remember. A new index knows no device: whoever makes it sets numbers and journal first.
extension DriveIndex {
    public func numbers() throws -> RecordNumbers {
        if let numbers = known.numbers { return numbers }
        let numbers = try memory("numbers").map(MemoryCoding.numbers) ?? RecordNumbers(device: Self.noDevice)
        if !connection.isReadOnly { known.numbers = numbers }
        return numbers
    }

    public func setNumbers(_ numbers: RecordNumbers) throws {
        try setMemory(MemoryCoding.encode(numbers), "numbers")
        known.numbers = numbers
    }

    public func journal() throws -> JournalMemory {
        try memory("journal").map(MemoryCoding.journal) ?? JournalMemory(device: Self.noDevice)
    }

    public func setJournal(_ memory: JournalMemory) throws { try setMemory(MemoryCoding.encode(memory), "journal") }

    public func token() throws -> DeviceVector { try memory("token").map(MemoryCoding.vector) ?? DeviceVector() }

    public func setToken(_ token: DeviceVector) throws { try setMemory(MemoryCoding.encode(token), "token") }

    public func labels() throws -> DeviceLabels {
        if let labels = known.labels { return labels }
        let labels = try memory("labels").map(MemoryCoding.labels) ?? DeviceLabels()
        if !connection.isReadOnly { known.labels = labels }
        return labels
    }

    public func setLabels(_ labels: DeviceLabels) throws {
        try setMemory(MemoryCoding.encode(labels), "labels")
        known.labels = labels
    }

    func memory(_ name: String) throws -> [UInt8]? {
        try connection.first(Self.memoryNamed, .text(name)) { $0.blob(0) }
    }

    func setMemory(_ value: [UInt8], _ name: String) throws {
        try connection.run(Self.setMemory, .text(name), .blob(value))
    }

    private static let noDevice = DeviceID(high: 0, low: 0)
    private static let memoryNamed = Query("SELECT value FROM memory WHERE name = ?")
    private static let setMemory = Query("INSERT OR REPLACE INTO memory (name, value) VALUES (?, ?)")
}

// Groups that wait to be published.
extension DriveIndex {
    public func pendingGroups() throws -> [RecordGroup] {
        try connection.all(Self.allPending) { RecordGroup(records: try RecordCodec.decodeAll($0.blob(0))) }
    }

    public func addPending(_ group: RecordGroup) throws {
        try transaction {
            try connection.run(Self.addPending, .blob(RecordCodec.encode(group.records)))
            // Saving the items says so too, but only of what they have at the end of a transaction.
            for record in group.records {
                for head in record.heads { try forgetUploaded(head.content.namedChunks.filter(\.isAlone)) }
            }
        }
    }

    public func removePending(through n: UInt64) throws {
        try transaction {
            let device = try numbers().device
            // Numbers grow: behind the first that stays, all stay, and need not be decoded.
            while let (sequence, bytes) = try connection.first(Self.oldestPending, read: { ($0.int(0), $0.blob(1)) }) {
                guard try RecordCodec.decodeAll(bytes).allSatisfy({ $0.context[device] <= n }) else { return }
                try connection.run(Self.removePending, .int(sequence))
            }
        }
    }

    public func setPending(_ groups: [RecordGroup]) throws {
        try transaction {
            try connection.run(Self.clearPending)
            for group in groups { try addPending(group) }
        }
    }

    private static let allPending = Query("SELECT records FROM pending ORDER BY sequence")
    private static let addPending = Query("INSERT INTO pending (records) VALUES (?)")
    private static let oldestPending = Query("SELECT sequence, records FROM pending ORDER BY sequence LIMIT 1")
    private static let removePending = Query("DELETE FROM pending WHERE sequence = ?")
    private static let clearPending = Query("DELETE FROM pending")
}

// Own records.
extension DriveIndex {
    public func ownRecord(of item: ItemID) throws -> OwnRecord? {
        if hasAtHand { return try itemAtHand(item).own }
        return try connection.first(Self.ownRecord, .id(item)) { Self.own($0, 0) } ?? nil
    }

    /// Two columns.
    static func own(_ row: borrowing Cursor, _ column: CInt) -> OwnRecord? {
        row.isNull(column) ? nil : OwnRecord(n: row.bits(column), covered: row.bits(column + 1))
    }

    public func setOwnRecord(_ record: OwnRecord?, of item: ItemID) throws {
        try transaction {
            try makeRoom()
            _ = try itemAtHand(item)
            items.setOwn(record, of: item)
        }
    }

    public func removeOwnRecords() throws { try connection.run(Self.clearOwnRecords) }

    private static let ownRecord = Query("SELECT own, covered FROM item WHERE uid = ?")
    private static let clearOwnRecords = Query("UPDATE item SET own = NULL, covered = NULL WHERE own IS NOT NULL")
}

// Chunks.
extension DriveIndex {
    public func knownChunk(_ id: ContentHash) throws -> ChunkReference? {
        if let filter, !hasAtHand, !filter.mayHave(.chunk, id.words.0) { return nil }
        for key in try connection.all(Self.itemsOfChunk, .bits(id.words.0), read: { $0.int(0) }) {
            if let chunk = try item(key: key)?.state.chunks.first(where: { $0.id == id }) { return chunk }
        }
        return try uploadedChunk(id)?.chunk
    }

    public func uploadedChunk(_ id: ContentHash) throws -> (chunk: ChunkReference, source: DrivePath?)? {
        guard try hasUploaded(),
            let place = try connection.first(Self.uploadedChunk, .blob(id.bytes), read: { $0.blob(0) })
        else { return nil }
        let found = try uploaded(place)
        return found.source == .root ? nil : found
    }

    private func uploaded(_ place: [UInt8]) throws -> (chunk: ChunkReference, source: DrivePath?) {
        var reader = ByteReader(place)
        let chunk = try reader.chunk(nil, keys)
        return (chunk, reader.isAtEnd ? nil : DrivePath(bytes: try reader.blob(limit: place.count)))
    }

    public func addUploaded(_ chunks: [ChunkReference], of source: DrivePath?) throws {
        // Lost, the chunk is stored again, and the one that is there already is tidied away.
        try transaction(isDurable: false) {
            for chunk in chunks {
                var place = try self.place(of: chunk)
                if let source { place.blob(source.bytes) }
                try connection.run(Self.addUploaded, .blob(chunk.id.bytes), .blob(place.bytes))
                filter?.note(.chunk, chunk.id.words.0)
            }
            if !chunks.isEmpty { known.hasUploaded = true }
        }
    }

    /// What a source comes behind.
    private func place(of chunk: ChunkReference) throws -> ByteWriter {
        var writer = ByteWriter()
        try writer.chunk(chunk, isWhole: false, keys)
        return writer
    }

    public func listUploaded(_ chunks: [ChunkReference]) throws {
        guard try hasUploaded() else { return }
        // Lost, no record names the list either.
        try transaction(isDurable: false) {
            for chunk in chunks {
                try connection.run(Self.listUploaded, .blob(chunk.id.bytes), .blob(place(of: chunk).bytes))
            }
        }
    }

    public func abandonUploads(of source: DrivePath, but used: Set<ContentHash>) throws {
        let abandoned = try unfinishedUploads().filter { $0.source == source && !used.contains($0.chunk.id) }
        try addUploaded(abandoned.map(\.chunk), of: .root)
    }

    public func unfinishedUploads() throws -> [UnfinishedUpload] {
        guard try hasUploaded() else { return [] }
        return try connection.all(Self.allUploaded, read: { $0.blob(1) }).compactMap { place in
            let (chunk, source) = try uploaded(place)
            return source.map { UnfinishedUpload(chunk, of: $0) }
        }
    }

    public func forgetUploaded(in objects: Set<ObjectKey>) throws {
        guard !objects.isEmpty else { return }
        try transaction {
            for (id, place) in try connection.all(Self.allUploaded, read: { ($0.blob(0), $0.blob(1)) }) {
                var reader = ByteReader(place)
                let chunk = try reader.chunk(nil, keys)
                if objects.contains(chunk.object) { try connection.run(Self.removeUploaded, .blob(id)) }
            }
        }
    }

    /// What somebody uploaded who was killed before anything referred to it.
    func noteUploaded(in filter: AbsenceFilter) throws {
        for id in try connection.all(Self.allUploaded, read: { ContentHash(bytes: $0.blob(0)) }) {
            if let id { filter.note(.chunk, id.words.0) }
        }
    }

    /// They are referred to now.
    func forgetUploaded(_ chunks: [ChunkReference]) throws {
        guard !chunks.isEmpty else { return }
        guard try hasUploaded() else { return }
        for chunk in chunks { try connection.run(Self.removeUploaded, .blob(chunk.id.bytes)) }
    }

    private func hasUploaded() throws -> Bool {
        let hasUploaded = try known.hasUploaded ?? connection.first(Self.anyUploaded) { _ in true } ?? false
        known.hasUploaded = hasUploaded
        return hasUploaded
    }

    // Equal contents in many items have one place as good as another; equal prefixes of different chunks do not happen.
    private static let itemsOfChunk = Query(
        "SELECT chunk.item FROM chunk JOIN item ON item.key = chunk.item WHERE prefix = ? AND item.alive LIMIT 4")
    private static let allUploaded = Query("SELECT id, place FROM uploaded")
    private static let uploadedChunk = Query("SELECT place FROM uploaded WHERE id = ?")
    private static let anyUploaded = Query("SELECT 1 FROM uploaded LIMIT 1")
    private static let addUploaded = Query(beneath: "INSERT OR REPLACE INTO uploaded (id, place) VALUES (?, ?)")
    private static let listUploaded = Query(
        """
        UPDATE uploaded SET place = ?2
        WHERE id = ?1 AND length(place) > length(?2) AND substr(place, 1, length(?2)) = ?2
        """)
    private static let removeUploaded = Query("DELETE FROM uploaded WHERE id = ?")
}
