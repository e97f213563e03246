import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct SyncCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Brings a drive and its store in step, once.",
        discussion: """
            With --to, a folder that is no drive becomes one first, so that this one command does everything.

            EXAMPLES
              docdrive sync ~/Documents --to /media/stick/documents
              docdrive sync
              docdrive sync ~/Documents --timeout 10m
            """)

    @Argument(help: ArgumentHelp("The drive; found from the current folder upward if left out.", valueName: "dir"))
    var folder: PathArgument?

    @OptionGroup var options: StoreOptions
    @OptionGroup var timeout: TimeoutOption

    @Option(name: .customLong("name"), help: "How this device is called, where the folder is no drive yet.")
    var deviceName: String?

    func work() async throws -> ExitStatus {
        timeout.start()
        let place = try drive()
        let setup = DriveSetup(folder: place, store: try options.address(), deviceName: deviceName)
        switch try await FirstUse(setup: setup, options: options).run() {
        case .dryRun: return .done
        case .ready: break
        case .created: Output.line("created")
        case .joined(let devices, let items): Output.line(Joined.text(devices, items))
        }
        Output.flush()
        let progress = ProgressLine()
        let drive = try Drive.open(place) { event in
            progress.note(event)
            if case .happened(let event) = event, let note = event.note { Output.error("docdrive: \(note)") }
        }
        let summary = try await drive.sync()
        ProgressLine.clear()
        return SummaryLine(summary, hasStore: drive.settings.store != nil).print()
    }

    /// With --to the folder itself, else the drive that it lies in.
    private func drive() throws -> FolderPath {
        let given = folder?.folder ?? .currentFolder
        if options.store != nil { return given }
        guard let found = try Drive.find(from: given) else {
            throw DriveError(
                .usage, "no drive here or above; make one with `docdrive sync DIR --to URL`", path: given.description)
        }
        return found
    }
}
