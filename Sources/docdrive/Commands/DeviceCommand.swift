import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "The devices that share the drive.",
        discussion: """
            EXAMPLES
              docdrive device ls
              docdrive device ls --json
              docdrive device rename thinkpad
            """,
        subcommands: [DeviceList.self, DeviceRename.self], defaultSubcommand: DeviceList.self)
}

struct DeviceList: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists them.",
        discussion: """
            All that had synced at least once when this one last did, whether or not they have changed anything; the number \
            that a sync tells is theirs.

            EXAMPLES
              docdrive device ls
              docdrive device ls --json
              docdrive device ls --jsonl
            """)

    @OptionGroup var output: OutputOptions

    func work() async throws -> ExitStatus {
        let devices = try DriveReader(DrivePlace(nil).found()).devices()
        if output.printJSON(devices) { return .done }
        var table = Table()
        for device in devices {
            let seen =
                device.isThis
                ? "this device" : device.lastChange.map { "last change \(Moment.minute($0))" } ?? "no changes yet"
            table.add(device.id, Escaped.text(device.name), seen)
        }
        table.print()
        return .done
    }
}

struct DeviceRename: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Renames this device; conflict copies from now on bear the new name.")

    @Argument(help: "1 to 40 bytes, without slashes, parentheses and control characters.")
    var name: String

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        try DriveSettings.check(deviceName: name)
        try await DriveActing(folder: DrivePlace(nil).found()).perform(.renameDevice(name))
        return .done
    }
}
