import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct SyncCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Brings a drive and its store in step, once.",
        discussion: """
            With --to, a folder that is no drive becomes one first, so that this one command does everything. At a terminal \
            it asks for the password or the keys that the store wants, and keeps them as `docdrive store login` does.

            EXAMPLES
              docdrive sync ~/Documents --to /media/stick/documents
              docdrive sync
              docdrive sync ~/Documents --timeout 10m
            """)

    @Argument(help: ArgumentHelp("The drive; found from the current folder upward if left out.", valueName: "dir"))
    var folder: PathArgument?

    @OptionGroup var options: StoreOptions
    @OptionGroup var timeout: TimeoutOption

    @Flag(help: "The summary as a JSON document.")
    var json = false

    @Option(name: .customLong("name"), help: "How this device is called, where the folder is no drive yet.")
    var deviceName: String?

    func validate() throws {
        if json, options.dryRun {
            throw ValidationError(
                "--dry-run has no answer in JSON; `docdrive plan --json` has, where the folder is a drive")
        }
    }

    func work() async throws -> ExitStatus {
        timeout.start()
        guard let place = try await DrivePlace(folder, options, deviceName: deviceName, isTold: !json).prepared() else {
            return .done
        }
        let hasStore = try DriveSettings.load(from: place).store != nil
        if let client = try await DriveClient.answering(place) {
            try DriveReader.checkHolder(of: place)
            if options.bwlimit != nil {
                Output.error("docdrive: the process that watches this drive does it, at its own rate")
            }
            let summary = try await SignIn.asking(for: place) {
                try await Inherited.joining(place) {
                    try await Interruption.asking(client) { try await client.sync() }
                }
            }
            IdleRuleText.tell(of: place)
            return SummaryLine(summary, hasStore: hasStore, isJSON: json, place).print()
        }
        await Drive.settleStore(of: place)
        let progress = ProgressLine()
        let drive = try Drive.open(place, bandwidth: options.bandwidth()) { event in
            progress.note(event)
            if case .happened(let event) = event { Self.tell(event) }
        }
        let summary = try await SignIn.asking(for: place) {
            try await Inherited.joining(place) { try await drive.sync() }
        }
        ProgressLine.clear()
        IdleRuleText.tell(of: place)
        return SummaryLine(summary, hasStore: hasStore, isJSON: json, place).print()
    }

    /// Where a rule may surprise; conflict copies are counted at the end.
    private static func tell(_ event: DriveEvent) {
        guard let note = event.note, event.kind != .conflict || event.after == nil else { return }
        Output.error("docdrive: \(event.path.isRoot ? "" : Escaped.path(event.path) + ": ")\(note)")
    }
}
