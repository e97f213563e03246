import DriveCore
import DriveFiles
import DriveIndex
import Glibc

/// The file in which a drive keeps what it read out of documents. A cache: whoever deletes it loses time only.
struct SearchFile {
    private static let name: FileName = "search.sqlite"

    let drive: FolderPath
    var path: FolderPath { drive.appending(DriveLayout.state).appending(Self.name) }
    var doubt: SearchDoubt { SearchDoubt(file: self) }

    /// For the drive's only writer. With `isChecked` it is looked over for damage first.
    func open(of device: DeviceID, isChecked: Bool) throws -> SearchIndex {
        try SearchIndex.open(path: path.bytes, of: device, isChecked: isChecked) { Ownership.prepare(file: $0) }
    }

    /// Nil where there is none that belongs to the index of this device. Throws where it is damaged.
    func openForReading(of device: DeviceID, isMapped: Bool) throws -> SearchIndex? {
        try SearchIndex.readOnly(path: path.bytes, of: device, isMapped: isMapped)
    }

    /// The error is of this file: SQLite names it with its folder as that is without links.
    func isMeant(by error: DriveError) -> Bool { error.path?.hasSuffix("/\(Self.name)") ?? false }

    /// Which file has the name now; nil where there is none.
    var place: Place? { trace.place }

    struct Place: Hashable, Sendable {
        var device: UInt64
        var inode: UInt64
    }

    /// What shows that somebody has written to the file, or to its log, or replaced them.
    var trace: Trace {
        let log = FolderPath(path.bytes + Array("-wal".utf8))
        return Trace(file: Self.facts(of: path), log: Self.facts(of: log))
    }

    struct Trace: Equatable {
        fileprivate var file: Facts?
        fileprivate var log: Facts?

        var place: Place? { file?.place }
        var isEmpty: Bool { file.map { $0.size == 0 } ?? true }
    }

    fileprivate struct Facts: Equatable {
        var place: Place
        var size: Int
        var seconds: Int
        var nanoseconds: Int
    }

    private static func facts(of path: FolderPath) -> Facts? {
        var facts = stat()
        guard path.withPointer({ stat($0, &facts) }) == 0 else { return nil }
        return Facts(
            place: Place(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino)), size: Int(facts.st_size),
            seconds: facts.st_mtim.tv_sec, nanoseconds: facts.st_mtim.tv_nsec)
    }
}
