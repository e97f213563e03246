import DriveCore

// Folders whose rows are just what the last walk found.
extension DriveIndex {
    public func knownFolder(_ folder: RowID) throws -> KnownFolder? {
        if !rows.waiting.isEmpty { try settle() }
        return try connection.first(Self.known, .int(folder.rawValue)) { try KnownFolderCoding.decode($0.blob(0)) }
    }

    public func setKnownFolder(_ known: KnownFolder, _ folder: RowID) throws {
        try transaction {
            // What waits to be written would forget it again.
            try settle()
            try connection.run(Self.keep, .int(folder.rawValue), .blob(KnownFolderCoding.encode(known)))
        }
    }

    /// In the transaction that changes the rows.
    func forgetKnown(_ folders: Set<RowID>) throws {
        for folder in folders.sorted() { try connection.run(Self.forget, .int(folder.rawValue)) }
    }

    private static let known = Query(beneath: "SELECT known FROM knownFolder WHERE row = ?")
    private static let keep = Query(
        beneath: "INSERT INTO knownFolder (row, known) VALUES (?1, ?2) ON CONFLICT (row) DO UPDATE SET known = ?2")
    private static let forget = Query(beneath: "DELETE FROM knownFolder WHERE row = ?")
}
