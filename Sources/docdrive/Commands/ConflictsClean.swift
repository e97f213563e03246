import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

extension ConflictScheme: ExpressibleByArgument {}

struct ConflictsClean: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Removes conflict copies that add nothing, in any folder, by any program.",
        discussion: """
            A copy goes if its original is there and has, or another copy has, the very same bytes; with --superset also \
            if it is a text and its original has all of its lines in the same order. Whatever else looks like a copy is \
            listed with what it is, and stays. In a drive copies go to the drive's trash, elsewhere to the desktop's. \
            Both files are compared once more right before, and --undo brings everything back.

            EXAMPLES
              docdrive conflicts clean ~/Pictures --dry-run
              docdrive conflicts clean . --older-than 30d --superset
              docdrive conflicts clean ~/Sync --scheme syncthing --yes
            """)

    @Argument(help: ArgumentHelp("The folder.", valueName: "dir"))
    var folder: PathArgument

    @Flag(help: "Only copies with the same bytes; so it is unless --superset is given.")
    var identicalOnly = false

    @Flag(help: "Also texts of which the original has all lines.")
    var superset = false

    @Option(
        help: """
            Only copies that this program made; more than once for several. Names that prove little are only looked at if \
            they are asked for.
            """)
    var scheme: [ConflictScheme] = []

    @Option(
        help: ArgumentHelp("Only copies that were last changed longer ago: 30d, 6mo; m is minutes.", valueName: "time"),
        transform: Span.argument)
    var olderThan: Span?

    @Flag(help: "Only tell what would happen.")
    var dryRun = false

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Bring back what the last cleaning of this folder removed.")
    var undo = false

    @OptionGroup var output: OutputOptions

    @OptionGroup var timeout: TimeoutOption

    private var isJSON: Bool { output.json || output.jsonl }

    /// A link may lead into a drive.
    private var place: FolderPath { folder.folder.resolved }

    func validate() throws {
        if identicalOnly, superset {
            throw ValidationError("--identical-only and --superset are two things; say one of them.")
        }
        if undo, superset || !scheme.isEmpty || olderThan != nil || identicalOnly {
            throw ValidationError("--undo brings back the whole last cleaning; it takes --dry-run and --yes.")
        }
        if undo, isJSON { throw ValidationError("--undo has no answer in JSON.") }
    }

    func work() async throws -> ExitStatus {
        timeout.start()
        try folder.refuseFile("name the folder that it is in")
        if undo { return try await CleaningUndoRun(folder: folder.folder, isTrial: dryRun, yes: yes).run() }
        let cleaning = try FolderCleaning(
            place, schemes: scheme.isEmpty ? ConflictScheme.unmistakable : scheme, takesContained: superset,
            olderThan: olderThan?.seconds)
        let report = CleaningReport(cleaning: cleaning)
        if !isJSON { report.print() }
        let seen: ExitStatus = report.tellWhatWasNotSeen() ? .partly : .done
        if cleaning.removals.isEmpty || dryRun {
            if !report.print(output, nil) { Output.line("\(report.total). Nothing was changed.") }
            return seen
        }
        try Question.ask("Move \(report.total) to the trash?", yes: yes, path: folder.folder.description)
        let outcomes = try await Interruption.leaving(
            "what it has moved is in the trash, and `conflicts clean --undo` of this folder brings it back"
        ) { try await carryOut(cleaning, report) }
        _ = report.print(output, outcomes)
        return report.tellWhatIsLeft(outcomes) ? .partly : seen
    }

    private func carryOut(_ cleaning: FolderCleaning, _ report: CleaningReport) async throws -> [CleaningOutcome] {
        if let drive = try Drive.find(from: place) {
            Advice.drive = drive
            var note = try DriveCleaningNote(cleaning, inDrive: drive)
            do {
                try await DriveActing(folder: drive, isTold: !isJSON).perform(.clean(note.copies))
            } catch let error as DriveError where error.kind == .temporary {
                // Somebody else has the drive: an undo must not look for what never moved.
                _ = try? note.settle()
                throw error
            }
            return try note.settle()
        }
        let outcomes = try cleaning.moveToDesktopTrash()
        if !isJSON { report.tellTotal(outcomes, of: folder.folder) }
        return outcomes
    }
}
