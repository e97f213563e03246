import DocumentDrive
import DriveCore
import FileCoordination

/// What people should know of the answer to a query, on standard error.
struct SearchNotes {
    let reader: DriveReader
    let asksDocuments: Bool

    /// How old what the index says may be, and that it says nothing where no pass has come through yet. False where nobody keeps
    /// it up.
    static func tellAge(of reader: DriveReader) throws -> Bool {
        let obstacle = try DriveHolder.obstacle(reader.folder)
        let reason = obstacle.map { $0.sentence ?? "nothing watches the drive" }
        if try reader.isUnseen {
            // Who watches it is about to look, or waits for the store.
            let remedy = reason == nil ? ("docdrive status", "says how that stands") : ("docdrive sync", "looks at it")
            let command = Advice(reader.folder).command(remedy.0)
            Output.error(
                "docdrive: \(reason.map { "\($0); " } ?? "")no pass has come through yet, so that nothing is known of the folder; "
                    + "`\(command)` \(remedy.1)")
        } else if let reason {
            Output.error("docdrive: \(reason); as of \(Moment.minute(reader.age))")
        }
        return obstacle == nil
    }

    func print() async throws {
        let isWatched = try Self.tellAge(of: reader)
        let missing = try reader.unrecorded()
        if let first = missing.first {
            let (others, verb) =
                missing.count == 1 ? ("", "is") : (" and \(Quantity.count(missing.count - 1, "other item"))", "are")
            Output.error(
                "docdrive: \(Escaped.path(first))\(others) could not be read so far and \(verb) not found; "
                    + "`docdrive status` says why")
        }
        if reader.isSearchDamaged {
            let remedy = await remedy(isWatched, "they are being read anew", "reads them anew")
            Output.error("docdrive: what was read out of documents is damaged and was left out; \(remedy)")
        } else if asksDocuments, let count = try? reader.unreadCount(), count > 0 {
            let remedy = await remedy(isWatched, "they are being read", "reads them")
            Output.error("docdrive: \(Quantity.count(count, "file")) not read yet; \(remedy)")
        }
    }

    /// A watch that rests knows nothing of a search index that somebody removed or damaged: it is told to read, and what it says
    /// holds then.
    private func remedy(_ isWatched: Bool, _ reading: String, _ refresh: String) async -> String {
        let command = "`docdrive find --refresh` \(refresh)"
        guard isWatched, let client = try? DriveClient(reader.folder) else { return command }
        do {
            let answer = try await SocketClient.answer(within: .seconds(2)) { try await client.beginReading() }
            // It hangs, or is of a version that knows nothing of this.
            guard let answer else { return command }
            return answer.first.map { "nothing is read: \(Escaped.text($0))" } ?? reading
        } catch { return command }
    }
}

/// `--refresh`: by the process that watches the drive, or here under the drive's lock.
struct DocumentRefresh {
    let folder: FolderPath
    /// What was read before turned out to be damaged.
    var isChecked = false

    func run() async throws {
        let obstacle: String?
        if let client = try await DriveClient.answering(folder) {
            obstacle = try await client.readDocuments(isChecked: isChecked)
        } else {
            obstacle = try await Drive.open(folder).readDocuments(isChecked: isChecked).obstacle
        }
        if let obstacle { Output.error("docdrive: no documents can be read: \(obstacle)") }
    }
}
