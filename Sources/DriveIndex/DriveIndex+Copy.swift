import GRDB

extension DriveIndex {
    /// Writes what is committed now into a new file (sqlite.org/lang_vacuum.html, "VACUUM INTO"). Works beside a writer.
    public func copy(to path: String) throws {
        try connection.alone { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
    }
}
