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

    /// Before anything is done by the index that is opened. What that says stands where there is no file.
    func tell(_ state: any DriveState, now: UInt64) throws {
        let memory = StandingMemory(state)
        let known = try memory.pause(now: now)
        guard let bytes = try SmallFile.read(path) else {
            if let known { try? write(known) }
            return
        }
        // What somebody forbade stays forbidden where nobody can read until when.
        let pause = (try? JSONDecoder().decode(Pause.self, from: Data(bytes))) ?? known ?? Pause(since: now)
        guard pause.holds(at: now) else { return try remove() }
        if pause != known { try state.transaction { try memory.setPause(pause) } }
    }
}
