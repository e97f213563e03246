import ArgumentParser

@main
struct Main {
    @MainActor static func main() async {
        Output.holdStandardFiles()
        TaskThreads.start()
        await Launch.run(Array(CommandLine.arguments.dropFirst()))
    }
}

/// The root of all commands.
struct Docdrive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docdrive",
        abstract: "Keeps a folder of documents in step between devices.",
        discussion: """
            EXAMPLES
              docdrive sync ~/Documents --to /media/stick/documents
              docdrive watch ~/Documents
              docdrive status

            The drive is found from the current folder upward; `-C DIR` looks from another one.
            `docdrive help exit-codes` explains the exit codes.
            """,
        subcommands: [
            InitCommand.self, SyncCommand.self, WatchCommand.self, StatusCommand.self, ListCommand.self,
            WhyCommand.self, WaitCommand.self, PauseCommand.self, ResumeCommand.self,
            FindCommand.self, SearchCommand.self, AttributesCommand.self, DuplicatesCommand.self, TagCommand.self,
            PlanCommand.self, CoordinateCommand.self,
            LogCommand.self, VersionsCommand.self, RestoreCommand.self, DiffCommand.self, UndoCommand.self,
            ConflictsCommand.self,
            DeletesCommand.self,
            TrashCommand.self, IgnoredCommand.self, VerifyCommand.self, StoreCommand.self, TransportCommand.self,
            DoctorCommand.self,
            ServiceCommand.self, DeviceCommand.self, ConfigCommand.self, CompletionsCommand.self, VersionCommand.self,
        ])

    /// Taken out before anything is parsed, since it stands anywhere; here for shells that complete it.
    @Option(
        name: .customShort("C"), help: ArgumentHelp("Do it as from this folder.", valueName: "dir"),
        completion: .directory)
    var folder: String?

    func run() throws {
        Output.line(
            """
            Keep a folder in step with your other devices, through a folder that they share:

              docdrive sync ~/Documents --to /media/stick/documents

            The same command on the next device joins it. `docdrive help` lists everything else.
            """)
    }
}
