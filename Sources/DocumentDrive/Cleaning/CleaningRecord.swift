import DriveCore
import DriveFiles
import Foundation
import Glibc

/// What a cleaning moved, so that it can be undone: a file of lines of JSON beneath `$XDG_STATE_HOME/docdrive/cleanings`
/// (XDG Base Directory Specification; `~/.local/state` where it is not set). Each line is there before the file moves.
struct CleaningRecord {
    /// Of the first line.
    private struct Header: Codable {
        var v = 1
        var type = "cleaning"
        var folder: [UInt8]
        /// The drive that the folder lies in: then the copies are in its trash.
        var drive: [UInt8]?
        /// Milliseconds since 1970.
        var time: UInt64
    }

    struct Move: Codable, Hashable {
        var path: [UInt8]
        /// Where it is now, and the note beside it; nil in the trash of a drive.
        var trash: [UInt8]?
        var note: [UInt8]?
        /// By which the file is known again: a trash may be emptied and its names used anew.
        var identity: CleaningFile.Identity?
    }

    let file: FolderPath
    let drive: FolderPath?
    let time: UInt64
    private(set) var moves: [Move] = []

    /// A new one.
    init(of folder: FolderPath, inDrive drive: FolderPath? = nil) throws(DriveError) {
        self.drive = drive
        time = SystemClock().milliseconds()
        let place = try Self.place()
        place.makeWithParents(0o700)
        let name = String(format: "%016llx-%08x.jsonl", time, UInt32.random(in: 0 ... .max))
        file = place.appending(FileName(name))
        try append(Header(folder: folder.resolved.bytes, drive: drive?.resolved.bytes, time: time), to: file)
    }

    private init?(reading file: FolderPath, of folder: FolderPath) {
        guard let bytes = (try? SmallFile.read(file)).flatMap(\.self) else { return nil }
        let lines = bytes.split(separator: 0x0A).map { Data($0) }
        let decoder = JSONDecoder()
        guard let first = lines.first, let header = try? decoder.decode(Header.self, from: first),
            header.folder == folder.resolved.bytes
        else { return nil }
        self.file = file
        drive = header.drive.map { FolderPath($0) }
        time = header.time
        moves = lines.dropFirst().compactMap { try? decoder.decode(Move.self, from: $0) }
    }

    /// That of the newest cleaning of the folder that is not undone.
    static func newest(of folder: FolderPath) throws(DriveError) -> CleaningRecord? {
        let place = try place()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.description)) ?? []
        for name in names.filter({ $0.hasSuffix(".jsonl") }).sorted().reversed() {
            if let record = CleaningRecord(reading: place.appending(FileName(name)), of: folder), !record.moves.isEmpty
            {
                return record
            }
        }
        return nil
    }

    mutating func add(
        path: FolderPath, trash: FolderPath, note: FolderPath, _ identity: CleaningFile.Identity
    ) throws(DriveError) {
        // Where the folder really is, so that an undo can tell whether a link took its place.
        let place = path.parent.resolved.appending(path.name ?? FileName(""))
        try add(Move(path: place.bytes, trash: trash.bytes, note: note.bytes, identity: identity))
    }

    mutating func add(_ move: Move) throws(DriveError) {
        try append(move, to: file)
        moves.append(move)
    }

    /// Nothing is left to undo.
    func remove() { _ = file.withPointer { unlink($0) } }

    private static func place() throws(DriveError) -> FolderPath {
        guard let base = FolderPath.base("XDG_STATE_HOME", orInHome: [".local", "state"]) else {
            throw DriveError(.usage, "there is no home folder to keep notes for an undo in; set HOME")
        }
        return base.appending("docdrive").appending("cleanings")
    }

    private func append(_ line: some Encodable, to file: FolderPath) throws(DriveError) {
        let number = file.withPointer { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        guard number >= 0 else { throw SmallFile.failure("write", file) }
        defer { close(number) }
        guard let data = try? JSONEncoder().encode(line) else {
            throw DriveError(.internalFault, "a line of the record cannot be written", path: file.description)
        }
        let bytes = Array(data) + [0x0A]
        guard bytes.withUnsafeBytes({ write(number, $0.baseAddress, $0.count) }) == bytes.count else {
            throw SmallFile.failure("write", file)
        }
    }
}
