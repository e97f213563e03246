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
        var complaints = Complaints()
        complaints.tell(undo.blocked.map(\.error))
        let held = try undo.drive.map { try undo.inDrive(DriveReader($0)) }
        let number = held?.names.count ?? undo.count
        let total = Quantity.count(number, "copy", "copies")
        let time = Moment.minute(undo.time)
        if isTrial {
            complaints.tell(held.map { Self.losses($0.lost) } ?? undo.obstacles)
            Output.line("\(total) of the cleaning of \(time) would come back. Nothing was changed.")
            return complaints.isEmpty ? .done : .partly
        }
        if number > 0 {
            try Question.ask("Bring back \(total) of the cleaning of \(time)?", yes: yes, path: folder.description)
        }
        guard try undo.hold() else {
            Output.line("Another undo of the cleaning of \(time) was faster.")
            return complaints.isEmpty ? .done : .partly
        }
        let isWhole: Bool
        if let drive = undo.drive {
            isWhole = try await restore(&undo, in: drive, &complaints)
        } else {
            isWhole = true
            restore(&undo, &complaints)
        }
        return isWhole && complaints.isEmpty ? .done : .partly
    }

    /// Of one run. What many have in common is said once.
    private struct Complaints {
        private var told: Set<String> = []

        var isEmpty: Bool { told.isEmpty }

        mutating func tell(_ errors: [DriveError]) {
            for error in errors {
                let text = Sentence(error).text
                if told.insert(text).inserted { Output.error(text) }
            }
        }
    }

    private static func losses(_ paths: [DrivePath]) -> [DriveError] {
        paths.map { DriveError(.notFound, "the trash has it no more", path: $0.description) }
    }

    /// Whether the drive brought back all that its trash has.
    private func restore(
        _ undo: inout CleaningUndo, in drive: FolderPath, _ complaints: inout Complaints
    ) async throws -> Bool {
        let held = try undo.inDrive(DriveReader(drive))
        var isWhole = true
        if !held.names.isEmpty {
            isWhole = try await DriveActing(folder: drive).perform(.undoCleaning(names: held.names))
        }
        try undo.finish(DriveReader(drive))
        if held.names.isEmpty, held.lost.isEmpty {
            Output.line("All of the cleaning of \(Moment.minute(undo.time)) is back already.")
        }
        complaints.tell(Self.losses(held.lost))
        return isWhole
    }

    private func restore(_ undo: inout CleaningUndo, _ complaints: inout Complaints) {
        var errors: [DriveError] = []
        var count = 0
        undo.restore { _, error in
            if let error { errors.append(error) } else { count += 1 }
        }
        complaints.tell(errors)
        Output.line("\(Quantity.count(count, "copy is", "copies are")) back.")
    }
}
