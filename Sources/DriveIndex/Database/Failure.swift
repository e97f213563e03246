import DriveCore
import GRDB
import GRDBSQLite
import Glibc

/// Where errors of SQLite become errors of the drive (sqlite.org/rescode.html).
enum Failure {
    /// Errors that are no errors of SQLite pass unchanged. `place` is the file of the index; nil for one in memory. The connection
    /// that has just met it, if there is one, knows what the system said.
    static func of(_ error: any Error, at place: String?, in connection: OpaquePointer? = nil) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        return of(
            code: error.extendedResultCode.rawValue, message: error.message ?? "no message", at: place,
            systemError: systemError(of: connection))
    }

    /// Of the connection that has just met it.
    static func last(of connection: OpaquePointer?) -> DriveError {
        of(
            code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)),
            at: place(of: connection), systemError: systemError(of: connection))
    }

    private static func systemError(of connection: OpaquePointer?) -> CInt {
        connection.map { sqlite3_system_errno($0) } ?? 0
    }

    /// What was read from it cannot be.
    static func damaged(_ what: String, in connection: OpaquePointer?) -> DriveError {
        of(code: SQLITE_CORRUPT, message: what, at: place(of: connection))
    }

    private static func place(of connection: OpaquePointer?) -> String? {
        guard let name = sqlite3_db_filename(connection, "main"), name.pointee != 0 else { return nil }
        return String(cString: name)
    }

    /// SQLITE_IOERR_SHMSIZE, which Swift does not import: the file through which the users of an index speak could not
    /// grow, nearly always for want of room.
    private static let sharedFileCannotGrow = SQLITE_IOERR | 19 << 8
    /// SQLITE_IOERR_SHMOPEN: it could not be made.
    private static let sharedFileCannotBeMade = SQLITE_IOERR | 18 << 8

    /// What the system said to a call that failed (`systemError`) tells a quota that is used up from a disk that fails.
    static func of(code: CInt, message: String, at place: String?, systemError: CInt = 0) -> DriveError {
        if code & 0xFF == SQLITE_IOERR, var error = wantOfRoom(systemError) {
            error.path = place
            return error
        }
        var error =
            (code == sharedFileCannotBeMade || code & 0xFF == SQLITE_CANTOPEN ? place.flatMap(noRoom) : nil)
            ?? (code & 0xFF == SQLITE_CANTOPEN ? tooManyOpenFiles : nil)
            ?? (isDamage(code) ? place.flatMap(diskError) : nil) ?? of(code: code, message: message)
        error.path = place
        return error
    }

    private static func isDamage(_ code: CInt) -> Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF)
    }

    /// Who makes a sound index anew because its disk was away throws away what it knows.
    private static func diskError(_ place: String) -> DriveError? {
        Readability.refusal(of: place).map { of(code: SQLITE_IOERR, message: String(cString: strerror($0))) }
    }

    /// SQLite tells of no reason why a file cannot be opened: whether there are too many shows in the attempt to open as many as an
    /// index has.
    private static var tooManyOpenFiles: DriveError? {
        var opened: [CInt] = []
        defer { for number in opened { close(number) } }
        for _ in 0..<4 {
            let number = open("/", O_RDONLY | O_CLOEXEC | O_DIRECTORY)
            if number < 0 {
                guard errno == EMFILE || errno == ENFILE else { return nil }
                return DriveError(
                    .exhausted,
                    "Too many files are open for the index to be opened; close some, or raise the limit (`ulimit -n`)")
            }
            opened.append(number)
        }
        return nil
    }

    /// SQLite tells of no reason why a file cannot be made: whether it is want of room shows in the attempt.
    private static func noRoom(beside place: String) -> DriveError? {
        let name = "\(place)-trial"
        let file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file < 0 else {
            close(file)
            unlink(name)
            return nil
        }
        return wantOfRoom(errno)
    }

    private static func wantOfRoom(_ systemError: CInt) -> DriveError? {
        switch systemError {
        case ENOSPC: return of(code: SQLITE_FULL, message: "")
        case EDQUOT:
            return DriveError(.noSpace, "The quota is used up where the index is (`quota -s`); free some space")
        default: return nil
        }
    }

    private static func of(code: CInt, message: String) -> DriveError {
        switch code == sharedFileCannotGrow ? SQLITE_FULL : code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH:
            DriveError(
                .corrupt,
                "The index is damaged (\(message)); `docdrive verify --repair` makes it anew from folder and store")
        case SQLITE_FULL:
            DriveError(.noSpace, "The disk of the index is full (`df -h`, `df -i`); free some space")
        case SQLITE_BUSY, SQLITE_LOCKED:
            DriveError(.temporary, "Another process holds the index; try again")
        case SQLITE_NOMEM:
            DriveError(.exhausted, "There is no memory left for the index")
        case SQLITE_READONLY:
            DriveError(.readOnly, "The index cannot be written (\(message))")
        case SQLITE_PERM, SQLITE_AUTH:
            DriveError(.permissionDenied, "The index may not be opened (\(message))")
        case SQLITE_CANTOPEN:
            DriveError(
                .inputOutput,
                "The index cannot be opened (\(message)); look who may enter its folder, how many files may be open, and "
                    + "at `dmesg`")
        case SQLITE_IOERR:
            DriveError(
                .inputOutput,
                "The disk of the index reports an error (\(message), \(code)); look at `dmesg`, and whether it is mounted for "
                    + "writing")
        default:
            DriveError(.internalFault, "The index refuses a command (\(message), \(code))")
        }
    }
}
