import DocumentDrive
import DriveCore
import FileCoordination

/// Has something done: by the process that watches the drive, or here under the drive's lock.
struct DriveActing {
    let folder: FolderPath

    /// Prints what was done; then a pass tells the other devices, if their store can be reached.
    func perform(_ act: DriveAct) async throws {
        if let client = try DriveClient(folder) {
            for line in try await client.perform(act) { Output.line(Escaped.text(line)) }
            return
        }
        let drive = try Drive.open(folder)
        for line in try await drive.perform(act) { Output.line(Escaped.text(line)) }
        Output.flush()
        do { _ = try await drive.sync() } catch let error as DriveError where error.kind == .unreachable {
            Output.error("\(Sentence(error).text); the next `docdrive sync` tells the other devices")
        }
    }
}

/// Asks on a terminal; elsewhere it takes `--yes`.
enum Question {
    static func ask(_ question: String, yes: Bool, path: String) throws {
        if yes { return }
        guard Output.isInputTerminal else {
            throw DriveError(.usage, "nothing was changed, since nobody can be asked; say --yes", path: path)
        }
        Output.flush()
        Output.errorText("\(question) [y/N] ")
        guard ["y", "yes"].contains((readLine() ?? "").lowercased()) else {
            throw DriveError(.usage, "nothing was changed", path: path)
        }
    }
}
