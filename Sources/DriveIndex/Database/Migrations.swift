import DriveCore
import GRDB

/// Brings a database to the newest schema, or refuses it.
struct Migrations {
    /// What an index that is made new consists of; nil for `Schema.newest`. Who only opens one never asks.
    var newest: String?
    var version = Schema.version
    /// The SQL that makes version `key + 1` of version `key`; nil for `Schema.steps`. A cache has none: it is made anew.
    var steps: [Int: String]?
    /// `PRAGMA application_id`, which tells whose database it is.
    var application = Schema.applicationID

    /// One transaction: whoever is killed in it leaves the old version. A newer database is not touched.
    ///
    /// True if the database was empty.
    func bringUpToDate(_ db: Database) throws -> Bool {
        let found = try check(db)
        guard found < version else { return false }
        try db.inTransaction(.immediate) {
            if found == 0 {
                try db.execute(sql: newest ?? Schema.newest)
            } else {
                let steps = steps ?? Schema.steps
                for old in found..<version {
                    guard let step = steps[old] else {
                        throw DriveError(
                            steps.isEmpty ? .corrupt : .internalFault,
                            "No way leads from version \(old) of the index to the next")
                    }
                    try db.execute(sql: step)
                }
            }
            try db.execute(sql: "PRAGMA application_id = \(application); PRAGMA user_version = \(version)")
            return .commit
        }
        return found == 0
    }

    /// The version of the database, 0 for an empty one. Writes nothing.
    func check(_ db: Database) throws -> Int {
        let found = try number("PRAGMA user_version", db)
        let owner = try number("PRAGMA application_id", db)
        if found == 0, owner == 0, try number("SELECT count(*) FROM sqlite_schema", db) == 0 {
            return 0
        }
        guard owner == application, found > 0 else {
            throw DriveError(
                .corrupt, "The index is a database of another program; move it away to have a new one made")
        }
        guard found <= version else {
            throw DriveError(
                .newerFormat, "The index has version \(found), this program knows \(version); update it to go on")
        }
        return found
    }

    private func number(_ sql: String, _ db: Database) throws -> Int {
        let cursor = try Cursor(try db.makeStatement(sql: sql), [])
        return try cursor.step() ? Int(cursor.int(0)) : 0
    }
}
