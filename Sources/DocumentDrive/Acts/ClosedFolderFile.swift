import DriveCore
import DriveFiles
import Foundation
import Glibc
import Synchronization

/// What is known of closed folders, beside the index that knows it, too: it outlasts that, which may have to be made anew.
///
/// A line for each note, the last one by a key counts. Nobody else writes it while the drive is open.
final class ClosedFolderFile: ClosedFolderNotes {
    private let path: FolderPath
    private let memory = Mutex<Known?>(nil)

    private struct Known {
        var notes: [String: ClosedFolderNote] = [:]
        /// How many the file has, with those that do not count any more.
        var lines = 0

        /// Most of it does not count any more.
        func isLong(at now: UInt64?) -> Bool {
            guard lines > ClosedFolderFile.spare else { return false }
            return lines > 2 * notes.values.count { !$0.isOver(at: now) } + ClosedFolderFile.spare
        }
    }

    private struct Line: Codable {
        var key: String
        var note: ClosedFolderNote
    }

    init(drive: FolderPath) { path = drive.appending(DriveLayout.state).appending("closed-folders.jsonl") }

    private static let knownKey = "closed-folders-file"

    /// Before anything is done by the index that is opened. By the time that a new one has seen pass, those of before may be over, or
    /// never come to their end: they count from now on.
    func tell(_ state: any DriveState) throws {
        guard try state.setting(Self.knownKey) == nil, path.exists, let now = try state.seenTime()?.now else { return }
        try memory.withLock { memory in
            var known = try read(&memory)
            memory = nil
            known.notes = known.notes.mapValues { ClosedFolderNote(permissions: $0.permissions, since: now) }
            try write(&known)
            memory = known
        }
        try state.transaction { try state.setSetting([1], Self.knownKey) }
    }

    func notes() throws -> [String: ClosedFolderNote] { try memory.withLock { memory in try read(&memory).notes } }

    func add(_ notes: [String: ClosedFolderNote], now: UInt64?) throws {
        try memory.withLock { memory in
            var known = try read(&memory)
            // Where this fails the file tells what it has.
            memory = nil
            for (key, note) in notes { known.notes[key] = note }
            known.lines += notes.count
            if try known.isLong(at: now) || !append(notes) {
                known.notes = known.notes.filter { !$0.value.isOver(at: now) }
                try write(&known)
            }
            memory = known
        }
    }

    /// So many lines that do not count any more are kept until it is written anew.
    static let spare = 1_000

    private func read(_ memory: inout Known?) throws -> Known {
        if let memory { return memory }
        var known = Known()
        let decoder = JSONDecoder()
        for bytes in (try SmallFile.read(path) ?? []).split(separator: 0x0A) {
            known.lines += 1
            // A power cut may have cut one off before its folder was removed.
            guard let line = try? decoder.decode(Line.self, from: Data(bytes)) else { continue }
            known.notes[line.key] = line.note
        }
        memory = known
        return known
    }

    /// False where there is no file yet.
    private func append(_ notes: [String: ClosedFolderNote]) throws -> Bool {
        guard let file = try LineFile.take(path) else { return false }
        for (key, note) in notes { try file.append(Line(key: key, note: note)) }
        try file.makeDurable()
        return true
    }

    private func write(_ known: inout Known) throws {
        let encoder = JSONEncoder()
        var bytes: [UInt8] = []
        for (key, note) in known.notes {
            bytes += Array(try encoder.encode(Line(key: key, note: note)))
            bytes.append(0x0A)
        }
        try SmallFile.write(bytes, to: path)
        try path.parent.makeDurable()
        known.lines = known.notes.count
    }
}

extension FolderPath {
    /// Returns when the names that were made, changed and removed in the folder would survive a power cut.
    fileprivate func makeDurable() throws(DriveError) {
        let number = withPointer { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { throw SmallFile.failure("write", self) }
        defer { close(number) }
        // EINVAL: there is nothing to make durable (fsync(2)).
        guard fsync(number) == 0 || errno == EINVAL else { throw SmallFile.failure("write", self) }
    }
}
