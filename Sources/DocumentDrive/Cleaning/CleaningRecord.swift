import DriveCore
import DriveFiles
import Foundation
import Glibc

/// What a cleaning moved, so that it can be undone: a file of lines of JSON beneath `$XDG_STATE_HOME/docdrive/cleanings`
/// (XDG Base Directory Specification; `~/.local/state` where it is not set). Each line is there before the file moves.
struct CleaningRecord {
    private static let version = 1

    /// Of the first line, whatever else is in it.
    private struct Version: Codable { var v: Int }

    /// Of the first line.
    private struct Header: Codable {
        var v = CleaningRecord.version
        var type = "cleaning"
        var folder: Data
        /// The drive that the folder lies in: then the copies are in its trash.
        var drive: Data?
        /// Milliseconds since 1970.
        var time: UInt64
    }

    struct Move: Codable, Hashable {
        var path: Data
        /// Where it is now, and the note beside it; nil in the trash of a drive.
        var trash: Data?
        var note: Data?
        /// By which the file is known again: a trash may be emptied and its names used anew.
        var identity: CleaningFile.Identity?
        /// What the note says: nobody else writes the same.
        var text: Data?
        var medium: TrashMedium?
        /// A line that takes back the same one before it: nothing was moved.
        var isVoid: Bool?
    }

    let file: FolderPath
    private let folder: FolderPath
    let drive: FolderPath?
    let time: UInt64
    private(set) var moves: [Move] = []
    /// A line of it cannot be read: what that line tells of is in the trash, and the list stays.
    let damage: DriveError?
    /// Nil of one that is only read.
    private var lines: LineFile?

    /// A new one.
    init(of folder: FolderPath, inDrive drive: FolderPath? = nil) throws(DriveError) {
        (self.folder, self.drive, damage) = (folder, drive, nil)
        time = SystemClock().milliseconds()
        let place = try Self.place()
        try place.make(0o700, to: "keep notes for an undo")
        let name = String(format: "%016llx-%08x.jsonl", time, UInt32.random(in: 0 ... .max))
        file = place.appending(FileName(name))
        let lines = try LineFile.make(file)
        self.lines = lines
        let header = Header(
            folder: Data(folder.resolved.bytes), drive: drive.map { Data($0.resolved.bytes) }, time: time)
        try lines.append(header)
    }

    /// Nil where it is of another folder, or gone, or not begun: then nothing was moved.
    init?(reading file: FolderPath, of folder: FolderPath) throws(DriveError) {
        guard let bytes = try SmallFile.read(file, to: "read what a cleaning moved"),
            let end = bytes.firstIndex(of: 0x0A)
        else { return nil }
        let decoder = JSONDecoder()
        let first = Data(bytes[..<end])
        let version = try? decoder.decode(Version.self, from: first).v
        let header = try? decoder.decode(Header.self, from: first)
        guard let header, version == Self.version else {
            if let header, header.folder != Data(folder.resolved.bytes) { return nil }
            throw version.map { $0 > Self.version } == true ? Self.isNewer(file) : Self.isDamaged(file)
        }
        guard header.folder == Data(folder.resolved.bytes) else { return nil }
        (self.file, self.folder) = (file, folder)
        drive = header.drive.map { FolderPath(Array($0)) }
        time = header.time
        // What has no end was cut off while it was written, before anything moved.
        let whole = bytes[...(bytes.lastIndex(of: 0x0A) ?? end)]
        let lines = whole[end...].split(separator: 0x0A)
        let found = lines.compactMap { try? decoder.decode(Move.self, from: Data($0)) }
        damage = found.count == lines.count ? nil : Self.isDamaged(file)
        let void = Set(found.filter { $0.isVoid == true }.map(\.valid))
        moves = found.filter { $0.isVoid != true && !void.contains($0) }
    }

    private static func isDamaged(_ file: FolderPath) -> DriveError {
        DriveError(
            .corrupt, "the list of what a cleaning moved is damaged; look for the copies in the trash",
            path: file.description)
    }

    private static func isNewer(_ file: FolderPath) -> DriveError {
        DriveError(
            .newerFormat,
            "the list of what a cleaning moved was written by a newer version of docdrive; update this one",
            path: file.description)
    }

    /// The lists of the cleanings of all folders that are not undone, the newest first.
    static func files() throws(DriveError) -> [FolderPath] {
        let place = try place()
        let names = try place.names() ?? []
        return names.filter { $0.bytes.suffix(6).elementsEqual(".jsonl".utf8) }.sorted().reversed()
            .map { place.appending($0) }
    }

    /// As it is once no cleaning and no undo has it, and nobody else's while the value lives; nil where another undo
    /// ended it, or somebody has it and nobody waits.
    func held(waits: Bool = true) throws(DriveError) -> CleaningRecord? {
        guard let lines = try LineFile.take(file, waits: waits),
            var record = try CleaningRecord(reading: file, of: folder)
        else { return nil }
        record.lines = lines
        return record
    }

    mutating func add(_ move: Move) throws(DriveError) {
        try lines?.append(move)
        moves.append(move)
    }

    /// All that was added so far.
    func makeDurable() throws(DriveError) { try lines?.makeDurable() }

    /// What was about to move and did not is no part of an undo. Where that cannot be written, the undo will not find it.
    mutating func takeBack(_ isVoid: (Move) -> Bool) {
        let going = Set(moves.filter(isVoid))
        for move in going { void(move) }
        moves.removeAll(where: going.contains)
    }

    mutating func takeBackLast() {
        if let last = moves.popLast() { void(last) }
    }

    private func void(_ move: Move) {
        var line = move
        line.isVoid = true
        try? lines?.append(line)
    }

    /// Nothing is left to undo, as far as can be read.
    mutating func remove() {
        if damage == nil { _ = file.withPointer { unlink($0) } } else { takeBack { _ in true } }
    }

    private static func place() throws(DriveError) -> FolderPath {
        guard let base = FolderPath.base("XDG_STATE_HOME", orInHome: [".local", "state"]) else {
            throw DriveError(.usage, "there is no home folder to keep notes for an undo in; set HOME")
        }
        return base.appending("docdrive").appending("cleanings")
    }
}

extension CleaningRecord.Move {
    /// The line that a void one takes back.
    fileprivate var valid: Self {
        var move = self
        move.isVoid = nil
        return move
    }

    var place: FolderPath { FolderPath(Array(path)) }
    var trashPlace: FolderPath? { trash.map { FolderPath(Array($0)) } }
    var notePlace: FolderPath? { note.map { FolderPath(Array($0)) } }
}
