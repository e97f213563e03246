import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct WatchCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Keeps a drive in step until it is stopped, and prints what happens.",
        discussion: """
            With --to, a folder that is no drive becomes one first. While it runs, `docdrive sync` asks it for a pass. With --jsonl, \
            what happens has the type `event`; `trouble` says that the store cannot be reached or what else keeps it from going on, \
            and `goes-on` that this is over; `problem` names an item that cannot be synced, once until it can, and why; `held` says \
            how many deletes wait until you decide.

            When whoever reads what it prints through a pipe is gone, it ends at the next event. Where else its output \
            cannot be written, as on a full disk, it says so and keeps the drive in step, \
            as it does while nobody reads it: up to 100,000 events wait then.

            EXAMPLES
              docdrive watch ~/Documents
              docdrive watch ~/Documents --to /media/stick/documents
              docdrive watch --exec 'notify-send "Documents changed"'
            """)

    @Argument(help: ArgumentHelp("The drive; found from the current folder upward if left out.", valueName: "dir"))
    var folder: PathArgument?

    @OptionGroup var options: StoreOptions

    @Option(
        help: ArgumentHelp(
            """
            Run this in the drive after changes; it finds them as JSON lines on its input, and is ended with the watch. What it \
            changes in the drive is a change, too.
            """,
            valueName: "cmd"))
    var exec: String?

    @Flag(help: "Print each event as a JSON object on a line.")
    var jsonl = false

    @Flag(
        help: ArgumentHelp(
            "Wait for the drive while its folder is not there, as on a disk that is not mounted, also where it goes later."
        ))
    var waitForDrive = false

    func validate() throws {
        if waitForDrive, folder == nil || options.store != nil || options.dryRun {
            throw ValidationError("--wait-for-drive needs the drive's folder, and goes with neither --to nor --dry-run")
        }
        if jsonl, options.dryRun {
            throw ValidationError(
                "--dry-run has no answer in JSON; `docdrive plan --jsonl` has, where the folder is a drive")
        }
    }

    func work() async throws -> ExitStatus {
        if waitForDrive, let place = folder?.folder {
            try await PatientWatch(place) { try await watch(place, $0) }.run()
            return .done
        }
        guard let place = try await DrivePlace(folder, options).prepared() else { return .done }
        try await watch(place) { ServiceNotice.send("READY=1") }
        return .done
    }

    /// Returns when it is stopped; the drive is closed then.
    private func watch(_ place: FolderPath, _ ready: @Sendable () -> Void) async throws {
        let runner = exec.map { CommandRunner($0, in: place) }
        if let runner { Interruption.onStop { runner.stop() } }
        defer { runner?.stop() }
        while try await watch(place, runner, ready) {
            Output.error("docdrive: the settings of the drive name another store; it goes on with that one")
        }
    }

    /// True where it ended because the drive has another store now.
    private func watch(
        _ place: FolderPath, _ runner: CommandRunner?, _ ready: @Sendable () -> Void
    ) async throws -> Bool {
        let printer = EventPrinter(isJSON: jsonl, drive: place)
        let printing = PrintQueue()
        let watched = try await BusyDrive(place).opened {
            try WatchedDrive(place, bandwidth: options.bandwidth()) { announcement in
                printing.add { printer.print(announcement) }
                runner?.note(announcement)
            }
        }
        if !jsonl { Output.error("docdrive: watching \(Escaped.text(place.description))") }
        IdleRuleText.tell(of: place)
        // Not kept by it: what a drive has open on a disk that went away would hold that for as long as it is waited for.
        Output.whenLost { [weak watched] in if let watched { Self.outputIsLost(watched) } }
        var failure: (any Error)?
        do { try await watched.run(ready: ready) } catch { failure = error }
        await watched.close()
        printing.finish()
        guard let failure, !(failure is CancellationError) else { return false }
        if watched.hasOtherStore, Interruption.code == nil { return true }
        throw failure
    }

    /// A pipe ends with its reader. For everybody else the drive counts, and not what is printed.
    private static func outputIsLost(_ watched: WatchedDrive) {
        if Output.isPipeClosed {
            Output.error("docdrive: nobody reads what is printed any more; stopped")
            // Whoever prints waits for nothing; `run` returns once it is closed.
            Task { await watched.close() }
        } else {
            let error = Output.failure ?? DriveError(.inputOutput, "cannot write to standard output: nobody reads it")
            Output.error(Sentence(error).text + "; the drive is kept in step all the same")
        }
    }
}
