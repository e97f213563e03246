import DocumentDrive
import DriveCore
import FileCoordination

/// `conflicts clean --undo`.
struct CleaningUndoRun {
    let folder: FolderPath
    let isTrial: Bool
    let yes: Bool

    func run() async throws -> ExitStatus {
        guard let undo = try CleaningUndo(of: folder) else {
            throw DriveError(
                .notFound, "no cleaning of this folder is known that could be undone", path: folder.description)
        }
        tellBlocked(undo)
        let held = try undo.drive.map { try undo.inDrive(DriveReader($0)) }
        let total = Quantity.count(held?.names.count ?? undo.count, "copy", "copies")
        let time = Moment.minute(undo.time)
        if isTrial {
            Output.line("\(total) of the cleaning of \(time) would come back. Nothing was changed.")
            return .done
        }
        try Question.ask("Bring back \(total) of the cleaning of \(time)?", yes: yes, path: folder.description)
        if let drive = undo.drive, let held {
            if !held.names.isEmpty { try await DriveActing(folder: drive).perform(.undoCleaning(names: held.names)) }
            undo.finish()
            for path in held.lost {
                let error = DriveError(.notFound, "the trash has it no more", path: path.description)
                Output.error(Sentence(error).text)
            }
            return held.lost.isEmpty && undo.blocked.isEmpty ? .done : .partly
        }
        return restore(undo)
    }

    /// A later cleaning is not forgotten where an earlier one is undone for it.
    private func tellBlocked(_ undo: CleaningUndo) {
        for (_, error) in undo.blocked { Output.error(Sentence(error).text) }
    }

    private func restore(_ undo: CleaningUndo) -> ExitStatus {
        var status: ExitStatus = undo.blocked.isEmpty ? .done : .partly
        var count = 0
        undo.restore { path, error in
            if let error {
                status = .partly
                Output.error(Sentence(error).text)
            } else {
                count += 1
            }
        }
        Output.line("\(Quantity.count(count, "copy is", "copies are")) back.")
        return status
    }
}
