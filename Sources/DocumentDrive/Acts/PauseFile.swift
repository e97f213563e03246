import DriveCore
import DriveFiles
import FileCoordination
import Foundation
import Glibc

/// A pause, beside the index that says so, too: it outlasts that, which may have to be made anew.
struct PauseFile: Sendable {
    private let path: FolderPath

    init(drive: FolderPath) { path = drive.appending(DriveLayout.state).appending("pause.json") }

    func write(_ pause: Pause) throws {
        try SmallFile.write(Array(try JSONEncoder().encode(pause)) + [0x0A], to: path)
    }

    func remove() throws(DriveError) {
        guard path.withPointer({ unlink($0) }) == 0 || errno == ENOENT else { throw SmallFile.failure("remove", path) }
    }

    private static let writtenKey = "pause-file"

    /// For an index that is put back to this time: where there is no file by then, somebody has resumed. Within the caller's transaction.
    static func noteWritten(_ state: any DriveState) throws { try state.setSetting([1], writtenKey) }

    /// Before anything is done by the index that is opened.
    func tell(_ state: any DriveState, now: UInt64) throws {
        let memory = StandingMemory(state)
        let known = try memory.pause(now: now)
        guard let bytes = try SmallFile.read(path) else {
            guard let known else { return }
            if try state.setting(Self.writtenKey) != nil { return try memory.setPause(nil) }
            // By a program that had no file for it.
            guard (try? write(known)) != nil else { return }
            return try state.transaction { try Self.noteWritten(state) }
        }
        // What somebody forbade stays forbidden where nobody can read until when.
        let pause = (try? JSONDecoder().decode(Pause.self, from: Data(bytes))) ?? known ?? Pause(since: now)
        guard pause.holds(at: now) else { return try remove() }
        if pause == known { return }
        try state.transaction {
            try memory.setPause(pause)
            try Self.noteWritten(state)
        }
    }
}
