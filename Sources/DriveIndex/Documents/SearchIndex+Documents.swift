public import DriveCore
import DrivePredicates

/// A document as the search index holds it.
struct HeldDocument {
    var version: [UInt8]
    var traits: DocumentTraits
    var attributes: [String: PredicateValue]
}

// Writing and reading documents.
extension SearchIndex {
    /// Whether it holds what a version of a file says, or why that cannot be read.
    public func holds(_ version: DocumentVersion, of row: RowID) throws -> Bool {
        try connection.first(Self.versionOf, .int(row.rawValue)) { $0.blob(0) } == version.encoded
    }

    public func save(_ content: DocumentContent, of row: RowID, as version: DocumentVersion) throws {
        try transaction {
            try remove(row)
            var held = try hold(content.text.map(DocumentContent.searched) ?? "", of: row)
            if content.isTextCut { held.traits.insert(.isTextCut) }
            try insert(row, version, content.attributes, held)
            for (name, value) in content.attributes { try add(value, name, of: row) }
        }
    }

    /// A document that could not be read: it has neither text nor attributes.
    public func save(_ failure: DocumentFailure, of row: RowID, as version: DocumentVersion) throws {
        try transaction {
            try remove(row)
            try insert(row, version, [:], HeldText(traits: []))
            try connection.run(
                Self.insertFailure, .int(row.rawValue), .int(Int64(failure.kind)), .text(failure.reason),
                .bits(failure.since), .int(Int64(failure.attempts)), failure.retry.map { .bits($0) } ?? .null)
        }
    }

    private func insert(
        _ row: RowID, _ version: DocumentVersion, _ attributes: [String: PredicateValue], _ text: HeldText
    ) throws {
        try connection.run(
            Self.insert, .int(row.rawValue), .blob(version.encoded), .int(text.traits.rawValue),
            .blob(AttributeCoding.encode(attributes)), text.length, text.digest, text.packed)
    }

    public func remove(_ row: RowID) throws {
        try transaction {
            let id = SQLValue.int(row.rawValue)
            guard try connection.first(Self.versionOf, id, read: { _ in true }) != nil else { return }
            try releaseText(of: row)
            try connection.run(Self.removeValues, id)
            try connection.run(Self.removeFailure, id)
            try connection.run(Self.removeDocument, id)
        }
    }

    /// Nil where nothing is held of the file as it is now.
    func document(of row: Row) throws -> HeldDocument? {
        guard let version = DocumentVersion(row)?.encoded else { return nil }
        return try decoding {
            try connection.first(Self.documentOf, .int(row.id.rawValue)) { cursor -> HeldDocument? in
                guard cursor.blob(0) == version else { return nil }
                return HeldDocument(
                    version: version, traits: DocumentTraits(rawValue: cursor.int(1)),
                    attributes: try AttributeCoding.decode(cursor.blob(2)))
            }.flatMap { $0 }
        }
    }

    /// The documents that could not be read, in the order of rows; or only those that are to be tried again by then.
    public func failures(dueBy time: UInt64? = nil) throws -> [HeldFailure] {
        if let time { return try connection.all(Self.dueFailures, .bits(time), read: failure) }
        return try connection.all(Self.allFailures, read: failure)
    }

    private func failure(_ cursor: borrowing Cursor) -> HeldFailure {
        HeldFailure(
            row: RowID(rawValue: cursor.int(0)), version: cursor.blob(1),
            failure: DocumentFailure(
                kind: Int(cursor.int(2)), reason: cursor.text(3), since: cursor.bits(4), attempts: Int(cursor.int(5)),
                retry: cursor.isNull(6) ? nil : cursor.bits(6)))
    }

    private func add(_ value: PredicateValue, _ name: String, of row: RowID) throws {
        let column: SQLValue
        switch value {
        case .list(let values):
            for value in values { try add(value, name, of: row) }
            return
        case .null, .data, .dictionary: return
        case .bool(let value): column = .int(value ? 1 : 0)
        case .integer(let number): column = .int(number)
        case .real(let number): column = .real(number)
        case .date(let date): column = .int(date.seconds)
        case .string(let text): column = .text(text.foldedForSearch)
        }
        try connection.run(Self.addValue, .int(try key(of: name)), column, .int(row.rawValue))
    }

    private func key(of name: String) throws -> Int64 {
        if let key = try knownKey(of: name) { return key }
        try connection.run(Self.addName, .text(name))
        return try knownKey(of: name) ?? 0
    }

    /// Nil for an attribute that no document has.
    func knownKey(of name: String) throws -> Int64? {
        if let key = keys[name] { return key }
        let key = try connection.first(Self.keyOfName, .text(name)) { $0.int(0) }
        if let key { keys[name] = key }
        return key
    }

    private static let versionOf = Query("SELECT version FROM document WHERE row = ?")
    private static let documentOf = Query("SELECT version, traits, attributes FROM document WHERE row = ?")
    private static let insert = Query(
        "INSERT INTO document (row, version, traits, attributes, length, digest, text) VALUES (?, ?, ?, ?, ?, ?, ?)")
    private static let insertFailure = Query(
        "INSERT INTO failure (row, kind, reason, since, attempts, retry) VALUES (?, ?, ?, ?, ?, ?)")
    private static let removeValues = Query("DELETE FROM value WHERE row = ?")
    private static let removeFailure = Query("DELETE FROM failure WHERE row = ?")
    private static let removeDocument = Query("DELETE FROM document WHERE row = ?")
    private static let failed = "SELECT row, version, kind, reason, since, attempts, retry FROM failure"
    private static let allFailures = Query("\(failed) JOIN document USING (row) ORDER BY row")
    // Asked after every pass: left to itself, SQLite reads the whole table to have its order.
    static let dueFailures = Query(
        "\(failed) INDEXED BY failureRetry CROSS JOIN document USING (row) WHERE retry <= ? ORDER BY +row")
    private static let addValue = Query("INSERT OR IGNORE INTO value (attribute, value, row) VALUES (?, ?, ?)")
    private static let addName = Query("INSERT INTO attribute (name) VALUES (?)")
    private static let keyOfName = Query("SELECT key FROM attribute WHERE name = ?")
}
