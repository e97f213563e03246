import DriveCore
import DrivePredicates

// The texts of documents and their words.
//
// Folders have many copies of one document. Its text and its words are held once, by one of the documents that have it, its
// *holder*, under the number of that row; the others are its *twins*.
extension SearchIndex {
    /// Takes up the words of a text for a row that is about to be inserted with what this returns.
    func hold(_ text: String, of row: RowID) throws -> HeldText {
        guard !text.isEmpty else { return HeldText(traits: .hasPlainWords) }
        let packed = try packed(text)
        // Equal texts are compressed alike; two versions of zstd may differ, and then both are held.
        let digest = SQLValue.blob(Array(ContentHash.sha256(packed).bytes.prefix(Self.digestLength)))
        if let holder = try connection.first(Self.holderByDigest, digest, read: { (row: $0.int(0), traits: $0.int(1)) })
        {
            try connection.run(Self.addTwin, .int(row.rawValue), .int(holder.row))
            return HeldText(traits: DocumentTraits(rawValue: holder.traits).subtracting(.isTextCut))
        }
        let words = IndexedWords(text)
        try add(words, of: row.rawValue)
        return HeldText(
            traits: DocumentTraits(ofText: text, words), length: .int(Int64(text.utf8.count)), digest: digest,
            packed: .blob(packed))
    }

    /// Before a document is removed: its text goes over to a twin, or goes.
    func releaseText(of row: RowID) throws {
        let id = SQLValue.int(row.rawValue)
        try connection.run(Self.removeTwin, id)
        guard let text = try text(of: row) else { return }
        let words = IndexedWords(text)
        // An index without contents forgets a text only by the very words that it was given.
        if !words.joined.isEmpty { try connection.run(Self.removeWords, id, .utf8(words.joined)) }
        guard let heir = try connection.first(Self.twinOf, id, read: { $0.int(0) }) else { return }
        try connection.run(Self.handOver, id, .int(heir))
        try connection.run(Self.removeTwin, .int(heir))
        try connection.run(Self.moveTwins, .int(heir), id)
        try add(words, of: heir)
    }

    /// Of whatever version is held.
    func text(of row: RowID) throws -> String? {
        try decoding {
            try connection.first(Self.textOf, .int(row.rawValue)) { cursor -> String? in
                guard let length = cursor.optionalInt(0) else { return nil }
                guard (0...Self.longestText).contains(length) else { throw DriveError.damagedBlob }
                return try zstd.decompressText(cursor.blob(1), size: Int(length))
            }.flatMap { $0 }
        }
    }

    /// The rows, which hold texts, and all others that have the same.
    func withTwins(_ holders: Set<Int64>) throws -> Set<Int64> {
        guard !holders.isEmpty else { return [] }
        var result = holders
        if holders.count < Self.fewHolders {
            for holder in holders { try connection.each(Self.twinsOf, [.int(holder)]) { result.insert($0.int(0)) } }
        } else {
            try connection.each(Self.twins) { if holders.contains($0.int(1)) { result.insert($0.int(0)) } }
        }
        return result
    }

    private func packed(_ text: String) throws -> [UInt8] {
        var text = text
        guard let packed = text.withUTF8({ zstd.compress(UnsafeRawBufferPointer($0), level: 3) }) else {
            throw DriveError(.exhausted, "zstd could not compress for lack of memory")
        }
        return packed
    }

    private func add(_ words: IndexedWords, of row: Int64) throws {
        guard !words.joined.isEmpty else { return }
        try connection.run(Self.addWords, .int(row), .utf8(words.joined))
        // Texts mostly have words that others had before.
        try words.each { word in
            guard knownWords.insert(word) else { return }
            let text = SQLValue.utf8(Array(word))
            guard let id = try connection.first(Self.addWord, text, read: { $0.int(0) }) else { return }
            try connection.run(Self.addPieces, .int(id), text)
        }
    }

    /// Importers give no more than 4 MiB; what claims more is damaged.
    private static let longestText: Int64 = 64 << 20
    private static let digestLength = 16
    /// For more of them the table of twins is read as a whole.
    private static let fewHolders = 64

    private static let textOf = Query(
        "SELECT length, text FROM document WHERE row = coalesce((SELECT holder FROM twin WHERE row = ?1), ?1)")
    private static let holderByDigest = Query("SELECT row, traits FROM document WHERE digest = ? LIMIT 1")
    private static let handOver = Query(
        """
        UPDATE document SET (length, digest, text) = (SELECT length, digest, text FROM document WHERE row = ?1)
        WHERE row = ?2
        """)
    private static let addTwin = Query("INSERT INTO twin (row, holder) VALUES (?, ?)")
    private static let removeTwin = Query("DELETE FROM twin WHERE row = ?")
    private static let moveTwins = Query("UPDATE twin SET holder = ? WHERE holder = ?")
    private static let twinOf = Query("SELECT row FROM twin WHERE holder = ? ORDER BY row LIMIT 1")
    private static let twinsOf = Query("SELECT row FROM twin WHERE holder = ?")
    private static let twins = Query("SELECT row, holder FROM twin")
    private static let addWords = Query("INSERT INTO textIndex (rowid, words) VALUES (?, ?)")
    private static let removeWords = Query("INSERT INTO textIndex (textIndex, rowid, words) VALUES ('delete', ?, ?)")
    private static let addWord = Query("INSERT OR IGNORE INTO word (text) VALUES (?) RETURNING id")
    private static let addPieces = Query("INSERT INTO wordIndex (rowid, text) VALUES (?, ?)")
}

/// What the row of a document says of its text; nothing but traits where a twin holds it.
struct HeldText {
    var traits: DocumentTraits
    var length = SQLValue.null
    var digest = SQLValue.null
    var packed = SQLValue.null
}
