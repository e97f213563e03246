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
            A copy goes if a file beside it has the very same bytes; in a drive to the drive's trash, elsewhere to the \
            desktop's. Both files are compared once more right before.

            EXAMPLES
              docdrive conflicts clean ~/Pictures --identical-only --dry-run
              docdrive conflicts clean . --older-than 30d
              docdrive conflicts clean ~/Sync --scheme syncthing --yes
            """)

    @Argument(help: ArgumentHelp("The folder.", valueName: "dir"))
    var folder: PathArgument

    @Flag(help: "Only copies with the same bytes; always so.")
    var identicalOnly = false

    @Option(help: "Only copies that this program made.")
    var scheme: [ConflictScheme] = []

    @Option(help: ArgumentHelp("Only copies that were last changed longer ago: 30d.", valueName: "time"))
    var olderThan: Span?

    @Flag(help: "Only tell what would happen.")
    var dryRun = false

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var output: OutputOptions

    private struct RemovalJSON: Encodable {
        var v = 1
        var type = "redundant-copy"
        var path: String
        var pathBase64: String?
        var kept: String
        var keptBase64: String?
        var scheme: String
        var size: UInt64
    }

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        let cleaning = try FolderCleaning(
            folder.folder, schemes: scheme.isEmpty ? ConflictScheme.allCases : scheme, olderThan: olderThan?.seconds)
        let objects = cleaning.removals.map { removal in
            RemovalJSON(
                path: removal.path.description, pathBase64: removal.path.base64IfNeeded,
                kept: removal.kept.description, keptBase64: removal.kept.base64IfNeeded,
                scheme: removal.scheme.rawValue,
                size: removal.size)
        }
        if !output.printJSON(objects) {
            for removal in cleaning.removals {
                Output.line("\(Escaped.path(removal.path))\n  same as \(Escaped.path(removal.kept))")
            }
        }
        let bytes = cleaning.removals.map(\.size).clampedSum()
        let total = "\(Quantity.count(cleaning.removals.count, "copy", "copies")), \(Quantity.bytes(bytes))"
        if cleaning.removals.isEmpty || dryRun {
            if !output.json && !output.jsonl { Output.line("\(total). Nothing was changed.") }
            return .done
        }
        try Question.ask("Move \(total) to the trash?", yes: yes, path: folder.folder.description)
        if let drive = try Drive.find(from: folder.folder) {
            try await DriveActing(folder: drive).perform(.clean(try cleaning.copies(inDrive: drive)))
        } else {
            for line in try cleaning.moveToDesktopTrash() { Output.line(Escaped.text(line)) }
        }
        return .done
    }
}
