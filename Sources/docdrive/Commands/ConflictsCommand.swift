import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct ConflictsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Files that two devices wrote at once: both contents are here, one as a copy.",
        discussion: """
            EXAMPLES
              docdrive conflicts
              docdrive conflicts resolve --all --keep newest
              docdrive conflicts diff Letter.txt
            """,
        subcommands: [
            ConflictsList.self, ConflictsShow.self, ConflictsDiff.self, ConflictsResolve.self, ConflictsClean.self,
        ],
        defaultSubcommand: ConflictsList.self)
}

struct ConflictsList: DriveCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "Lists them.")

    @Flag(help: "Exit with 1 if there are any.")
    var check = false

    @OptionGroup var output: OutputOptions

    func work() async throws -> ExitStatus {
        let conflicts = try DriveReader(DrivePlace(nil).found()).conflicts()
        let objects = conflicts.map { ConflictJSON($0) }
        if !output.printJSON(objects) {
            for conflict in conflicts { ConflictText(conflict).print() }
            Output.line(
                conflicts.isEmpty
                    ? "No conflicts." : "`docdrive conflicts resolve ID --keep current|copy|both` ends one.")
        }
        return check && !conflicts.isEmpty ? .no : .done
    }
}

extension ConflictKeeping: ExpressibleByArgument {}

struct ConflictsResolve: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Ends conflicts; what is not kept goes to the drive's trash.",
        discussion: """
            EXAMPLES
              docdrive conflicts resolve Letter.txt --keep copy
              docdrive conflicts resolve --all --keep newest --dry-run
              docdrive conflicts resolve --all --keep both
            """)

    @Argument(help: ArgumentHelp("Ids from `docdrive conflicts`, or paths of files or copies.", valueName: "conflicts"))
    var ids: [PathArgument] = []

    @Flag(help: "Every conflict.")
    var all = false

    @Option(help: "Which content stays under the file's name; `both` makes the copy a file of its own.")
    var keep: ConflictKeeping

    @Flag(help: "Only tell what would happen.")
    var dryRun = false

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        let folder = try DrivePlace(nil).found()
        let reader = try DriveReader(folder)
        guard all != !ids.isEmpty else {
            throw DriveError(.usage, "name conflicts by their ids, or say --all", path: folder.description)
        }
        let chosen = try all ? reader.conflicts() : ids.flatMap(ConflictArgument(reader).find)
        if dryRun {
            for conflict in chosen { Output.line("\(Escaped.path(conflict.current)): keep \(conflict.side(keep))") }
            Output.line("Nothing was changed.")
        } else if chosen.isEmpty {
            Output.line("No conflicts.")
        } else {
            try await DriveActing(folder: folder).perform(.resolve(ids: chosen.map(\.id), keep: keep))
        }
        return .done
    }
}
