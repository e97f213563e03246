import DocumentDrive
import DriveCore

/// A drive that a watch is to have, on which a command may be at work: that comes to its end.
struct BusyDrive {
    private let folder: FolderPath

    init(_ folder: FolderPath) { self.folder = folder }

    /// Waits for commands, however long they take. Who watches the drive already keeps it: then it throws what `open` threw; and so
    /// does who is stopped, which is told with how it goes on.
    func opened(_ open: () throws -> WatchedDrive) async throws -> WatchedDrive {
        var isTold = false
        var tries = 0
        while true {
            do {
                let watched = try open()
                if isTold { ServiceNotice.send("STATUS=") }
                return watched
            } catch let error as DriveError where error.kind == .temporary {
                switch try await DriveHolder.of(folder) {
                case .apart(let process):
                    tries = 0
                    if !isTold { tell(process) }
                    isTold = true
                // It has ended in between.
                case .nobody where tries < Self.mostTries: tries += 1
                case .silent(let silence) where silence.isStopped:
                    throw DriveError(.temporary, silence.sentence, path: folder.description)
                default: throw error
                }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    private func tell(_ process: Int32?) {
        let who = process.map { "process \($0)" } ?? "another process"
        Output.error(
            "docdrive: \(who) works on the drive: \(Escaped.text(folder.description)): waiting until it is done")
        // Who starts this would else end it after a while.
        ServiceNotice.send("READY=1\nSTATUS=Waiting until \(who) has done its work on the drive")
    }

    private static let mostTries = 3
    private static let pause = Duration.milliseconds(100)
}
