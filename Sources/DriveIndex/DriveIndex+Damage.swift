import DriveCore
import GRDB

extension DriveIndex {
    /// What is wrong with the file, a sentence each; nothing where all is well. Reads all of it.
    ///
    /// SQLite keeps no checksums, so beside its own check every value is decoded, and what is kept twice is compared.
    public func damage() throws -> [String] {
        do {
            let found = try connection.alone { try String.fetchAll($0, sql: "PRAGMA integrity_check(20)") }
            guard found == ["ok"] else { return found }
            return try transaction { try tableDamage() }
        } catch let error as DriveError where error.kind == .corrupt { return [error.message] }
    }

    private func tableDamage() throws -> [String] {
        var result: [String] = []
        let items = try allItems()
        try compare("chunk", "chunks", expectedChunks(items), Self.chunkPairs, &result)
        try compare("mark", "marks of folders", expectedMarks(items), Self.markPairs, &result)
        try compare("baseMember", "items of rows", expectedMembers(), Self.memberPairs, &result)
        try decodeRest()
        return result
    }

    private struct Pair: Hashable {
        var first: Int64
        var second: Int64
    }

    private func compare(
        _ table: String, _ what: String, _ expected: Set<Pair>, _ query: Query, _ result: inout [String]
    ) throws {
        let found = Set(try connection.all(query) { Pair(first: $0.int(0), second: $0.int(1)) })
        let count = found.symmetricDifference(expected).count
        if count > 0 { result.append("\(count) entries of the table of \(what) (\(table)) are wrong or missing") }
    }

    private func expectedChunks(_ items: [StoredItem]) throws -> Set<Pair> {
        var result: Set<Pair> = []
        for item in items {
            let key = try known(item.id)
            for chunk in item.state.chunks {
                result.insert(Pair(first: Int64(bitPattern: chunk.id.words.0), second: key))
            }
        }
        return result
    }

    private func expectedMarks(_ items: [StoredItem]) throws -> Set<Pair> {
        var result: Set<Pair> = []
        for item in items where !item.state.markFolders.isEmpty {
            let key = try known(item.id)
            for folder in item.state.markFolders { result.insert(Pair(first: try known(folder), second: key)) }
        }
        return result
    }

    private func expectedMembers() throws -> Set<Pair> {
        var result: Set<Pair> = []
        for row in try allRows() {
            for item in row.tabledItems {
                result.insert(Pair(first: try known(item), second: row.id.rawValue))
            }
        }
        return result
    }

    /// Never given anew: the file may be open for reading only.
    private func known(_ item: ItemID) throws -> Int64 { try keys.knownKey(of: item) ?? -1 }

    /// Whatever cannot be decoded throws `corrupt`.
    private func decodeRest() throws {
        _ = try (numbers(), journal(), token(), labels(), pendingGroups(), intents(), trash(), problems(), dirt())
        _ = try undone()
        for node in try nodesWithDerivedNames() { _ = try derivedNames(in: node) }
    }

    private static let chunkPairs = Query("SELECT prefix, item FROM chunk")
    private static let markPairs = Query("SELECT folder, item FROM mark")
    private static let memberPairs = Query("SELECT item, row FROM baseMember")
}
