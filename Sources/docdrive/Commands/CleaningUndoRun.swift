import DocumentDrive
import DriveCore
import FileCoordination

/// `conflicts clean --undo`.
struct CleaningUndoRun {
    let folder: FolderPath
    let isTrial: Bool
    let yes: Bool

    func run() async throws -> ExitStatus {
        if !isTrial { CleaningUndo.tidy(folder) }
        guard var undo = try CleaningUndo(of: folder) else {
            throw DriveError(
                .notFound,
                "no cleaning of this folder is known that could be undone; name the folder that `conflicts clean` was given, or "
                    + "look into the trash", path: folder.description)
        }
        // A later cleaning is not forgotten where an earlier one is undone for it.
        tell(undo.blocked.map(\.error))
        let number = try undo.drive.map { try undo.inDrive(DriveReader($0)).names.count } ?? undo.count
        let total = Quantity.count(number, "copy", "copies")
        let time = Moment.minute(undo.time)
        if isTrial {
            if undo.drive == nil { tell(undo.obstacles.map(\.error)) }
            Output.line("\(total) of the cleaning of \(time) would come back. Nothing was changed.")
            return .done
        }
        if number > 0 {
            try Question.ask("Bring back \(total) of the cleaning of \(time)?", yes: yes, path: folder.description)
        }
        guard try undo.hold() else {
            Output.line("Another undo of the cleaning of \(time) was faster.")
            return undo.blocked.isEmpty ? .done : .partly
        }
        let isWhole: Bool
        if let drive = undo.drive { isWhole = try await restore(&undo, in: drive) } else { isWhole = restore(&undo) }
        return isWhole && undo.blocked.isEmpty ? .done : .partly
    }

    /// What many have in common is said once.
    private func tell(_ errors: [DriveError]) {
        var told: Set<String> = []
        for error in errors {
            let text = Sentence(error).text
            if told.insert(text).inserted { Output.error(text) }
        }
    }

    /// Whether all is back.
    private func restore(_ undo: inout CleaningUndo, in drive: FolderPath) async throws -> Bool {
        let held = try undo.inDrive(DriveReader(drive))
        var isWhole = true
        if !held.names.isEmpty {
            isWhole = try await DriveActing(folder: drive).perform(.undoCleaning(names: held.names))
        }
        try undo.finish(DriveReader(drive))
        if held.names.isEmpty, held.lost.isEmpty {
            Output.line("All of the cleaning of \(Moment.minute(undo.time)) is back already.")
        }
        tell(held.lost.map { DriveError(.notFound, "the trash has it no more", path: $0.description) })
        return isWhole && held.lost.isEmpty
    }

    private func restore(_ undo: inout CleaningUndo) -> Bool {
        var errors: [DriveError] = []
        var count = 0
        undo.restore { _, error in
            if let error { errors.append(error) } else { count += 1 }
        }
        tell(errors)
        Output.line("\(Quantity.count(count, "copy is", "copies are")) back.")
        return errors.isEmpty
    }
}
