import ArgumentParser
import DriveFiles

@main
struct Main {
    @MainActor static func main() async {
        Output.holdStandardFiles()
        OpenFiles.raiseLimit()
        TaskThreads.start()
        MappedFiles.answerErrors(
            "docdrive: a page of a file that is used as memory could not be read or written: the disk is full, may not be "
                + "written, or reports an error; what was recorded stays. Look at `df -h` and `dmesg`, then do this again",
            status: ExitStatus.needsOperator.rawValue, ofFullDisk: ExitStatus.noSpace.rawValue)
        await Launch.run(RawArguments.given.texts)
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
        subcommands: entries.map(\.command))

    /// In the order of the help.
    static let entries: [Entry] = [
        .drive(InitCommand.self), .drive(SyncCommand.self), .drive(WatchCommand.self), .drive(StatusCommand.self),
        .drive(ListCommand.self), .drive(WhyCommand.self), .drive(WaitCommand.self), .drive(PauseCommand.self),
        .drive(ResumeCommand.self), .drive(FindCommand.self), .plain(SearchCommand.self),
        .drive(AttributesCommand.self), .drive(DuplicatesCommand.self), .drive(TagCommand.self),
        .drive(PlanCommand.self), .drive(CoordinateCommand.self), .drive(LogCommand.self),
        .drive(VersionsCommand.self), .drive(RestoreCommand.self), .drive(DiffCommand.self), .drive(UndoCommand.self),
        .plain(ConflictsCommand.self), .plain(DeletesCommand.self), .plain(TrashCommand.self),
        .drive(IgnoredCommand.self), .drive(VerifyCommand.self), .plain(StoreCommand.self),
        .plain(TransportCommand.self), .drive(DoctorCommand.self), .plain(ServiceCommand.self),
        .plain(DeviceCommand.self), .plain(ConfigCommand.self), .drive(CompletionsCommand.self),
        .plain(VersionCommand.self),
    ]

    enum Entry {
        case drive(any DriveCommand.Type)
        /// Prints, or has commands of its own.
        case plain(any ParsableCommand.Type)

        var command: any ParsableCommand.Type {
            switch self {
            case .drive(let command): command
            case .plain(let command): command
            }
        }
    }

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
