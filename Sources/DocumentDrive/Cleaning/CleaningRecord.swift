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
        /// A line that takes back the same one before it: nothing was moved.
        var isVoid: Bool?
    }

    let file: FolderPath
    let drive: FolderPath?
    let time: UInt64
    private(set) var moves: [Move] = []
    /// Nil of one that is only read.
    private var lines: LineFile?

    /// A new one.
    init(of folder: FolderPath, inDrive drive: FolderPath? = nil) throws(DriveError) {
        self.drive = drive
        time = SystemClock().milliseconds()
        let place = try Self.place()
        try place.make(0o700, to: "keep notes for an undo")
        let name = String(format: "%016llx-%08x.jsonl", time, UInt32.random(in: 0 ... .max))
        file = place.appending(FileName(name))
        let lines = try LineFile(file)
        self.lines = lines
        let header = Header(
            folder: Data(folder.resolved.bytes), drive: drive.map { Data($0.resolved.bytes) }, time: time)
        try lines.append(header)
    }

    private init?(reading file: FolderPath, of folder: FolderPath) {
        guard let bytes = (try? SmallFile.read(file)).flatMap(\.self) else { return nil }
        let lines = bytes.split(separator: 0x0A).map { Data($0) }
        let decoder = JSONDecoder()
        guard let first = lines.first, let header = try? decoder.decode(Header.self, from: first),
            header.folder == Data(folder.resolved.bytes)
        else { return nil }
        self.file = file
        drive = header.drive.map { FolderPath(Array($0)) }
        time = header.time
        let found = lines.dropFirst().compactMap { try? decoder.decode(Move.self, from: $0) }
        let void = Set(found.filter { $0.isVoid == true }.map(\.valid))
        moves = found.filter { $0.isVoid != true && !void.contains($0) }
    }

    /// Those of the cleanings of the folder that are not undone, the newest first.
    static func all(of folder: FolderPath) throws(DriveError) -> some Sequence<CleaningRecord> {
        let place = try place()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.description)) ?? []
        return names.filter { $0.hasSuffix(".jsonl") }.sorted().reversed().lazy
            .compactMap { CleaningRecord(reading: place.appending(FileName($0)), of: folder) }
            .filter { !$0.moves.isEmpty }
    }

    mutating func add(
        path: FolderPath, trash: FolderPath, note: FolderPath, _ identity: CleaningFile.Identity
    ) throws(DriveError) {
        // Where the folder really is, so that an undo can tell whether a link took its place.
        let place = path.parent.resolved.appending(path.name ?? FileName(""))
        try add(
            Move(path: Data(place.bytes), trash: Data(trash.bytes), note: Data(note.bytes), identity: identity))
    }

    mutating func add(_ move: Move) throws(DriveError) {
        try lines?.append(move)
        moves.append(move)
    }

    /// What was about to move and did not is no part of an undo. Where that cannot be written, the undo will not find it.
    mutating func takeBack(_ isVoid: (Move) -> Bool) {
        for move in moves where isVoid(move) { void(move) }
        moves.removeAll(where: isVoid)
    }

    mutating func takeBackLast() {
        if let last = moves.popLast() { void(last) }
    }

    private func void(_ move: Move) {
        var line = move
        line.isVoid = true
        try? lines?.append(line)
    }

    /// Nothing is left to undo.
    func remove() { _ = file.withPointer { unlink($0) } }

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

    func removeNote() {
        if let note { _ = FolderPath(Array(note)).withPointer { unlink($0) } }
    }
}
