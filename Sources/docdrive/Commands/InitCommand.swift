import ArgumentParser
import DocumentDrive
import DriveCore

struct InitCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Makes a folder a drive.",
        discussion: """
            With --to, creates the store, or joins it if others use it already. Files that are equal on both sides become \
            one; of files that differ both are kept. Nothing is transferred before the first `docdrive sync`.

            Without --to the folder gets an index of its own and a .driveignore, and what is in it stays as it is: `find`, \
            `ls`, `dupes`, `verify` and `watch` work in it, and a store can come later.

            EXAMPLES
              docdrive init ~/Documents --to /media/stick/documents
              docdrive init ~/Documents --to /media/stick/documents --dry-run
              docdrive init ~/Notes --name thinkpad
            """)

    @Argument(help: ArgumentHelp("The folder; the current one if left out.", valueName: "dir"))
    var folder: PathArgument?

    @OptionGroup var options: StoreOptions

    @Option(help: "How this device is called in the names of conflict copies; the host's name if left out.")
    var name: String?

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        let folder = folder?.folder ?? .currentFolder
        let setup = DriveSetup(folder: folder, store: try options.address(), deviceName: name)
        let place = Escaped.text(folder.description)
        var use = try FirstUse(setup: setup, options: options)
        let result = try await use.run()
        Advice.drive = folder
        switch result {
        case .dryRun, .mended: break
        case .ready:
            throw DriveError(.usage, "this folder is a drive already; `docdrive status` tells more", path: place)
        case .created where setup.store == nil:
            // So that `find` and the others answer at once.
            _ = try await Drive.open(folder).sync()
            let items = try DriveReader(folder).index.rowCount()
            Output.line(
                Advice.text(
                    "\(place) is a drive now, \(Quantity.count(items, "item")); `docdrive sync --to URL` connects it with "
                        + "other devices."))
        case .created: Output.line(Advice.text("created; `docdrive sync` fills the store"))
        case .joined(let devices, let items):
            Output.line(Advice.text("\(Joined.text(devices, items)); `docdrive sync` brings them"))
        }
        return .done
    }
}

enum Joined {
    /// Items where they were counted.
    static func text(_ devices: Int, _ items: Int?) -> String {
        let counted = items.map { ", \(Quantity.count($0, "item"))" } ?? ""
        return "joined, \(Quantity.count(devices, "device"))\(counted)"
    }
}
