import DocumentDrive
import DriveCore

/// What people should know of the answer to a query, on standard error.
struct SearchNotes {
    let reader: DriveReader
    let asksDocuments: Bool

    /// How old what the index says may be. False where nobody keeps it up.
    static func tellAge(of reader: DriveReader) throws -> Bool {
        guard let obstacle = try DriveHolder.obstacle(reader.folder) else { return true }
        let reason = obstacle.sentence ?? "nothing watches the drive"
        Output.error("docdrive: \(reason); as of \(Moment.minute(reader.age))")
        return false
    }

    func print() throws {
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
            Output.error(
                "docdrive: what was read out of documents is damaged and was left out; `docdrive find --refresh` reads "
                    + "them anew")
        } else if asksDocuments, let count = try? reader.unreadCount(), count > 0 {
            let remedy = isWatched ? "they are being read" : "`docdrive find --refresh` reads them"
            Output.error("docdrive: \(Quantity.count(count, "file")) not read yet; \(remedy)")
        }
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
