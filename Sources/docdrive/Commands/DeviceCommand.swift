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
              docdrive device rename thinkpad
              docdrive device forget old-laptop
            """,
        subcommands: [DeviceList.self, DeviceRename.self, DeviceForget.self], defaultSubcommand: DeviceList.self)
}

struct DeviceList: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists them.",
        discussion: """
            All that had synced at least once when this one last did, whether or not they have changed anything; the number \
            that a sync tells is theirs. Those that were forgotten are left out but with --all, and in JSON have `isForgotten`.

            EXAMPLES
              docdrive device ls
              docdrive device ls --json
              docdrive device ls --all --jsonl
            """)

    @Flag(name: .shortAndLong, help: "Also those that were forgotten.")
    var all = false

    @OptionGroup var output: OutputOptions

    func work() async throws -> ExitStatus {
        let devices = try DriveReader(DrivePlace(nil).found()).devices().filter { all || !$0.isForgotten }
        if output.printJSON(devices) { return .done }
        var table = Table()
        for device in devices {
            table.add(device.id, Escaped.text(device.name), Self.standing(device))
        }
        table.print()
        return .done
    }

    private static func standing(_ device: DeviceSight) -> String {
        if device.isThis { return "this device" }
        let seen = device.lastChange.map { "last change \(Moment.minute($0))" } ?? "no changes yet"
        return device.isForgotten ? "forgotten, \(seen)" : seen
    }
}

/// For a device that was lost, sold or set up anew.
struct DeviceForget: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Says that a device is gone for good.",
        discussion: """
            What is deleted leaves the store only when every device has said that it does not need it, for which one that never \
            comes back is waited for 90 days; then it counts as forgotten. A forgotten one is not waited for, and `device ls` leaves \
            it out; the other devices hear of that within a day. What it has written stays. Should it sync again, it is a device like any other, at once if \
            it has changes or was away for a day, and stores again what it has and the \
            store has lost meanwhile. Only what it brings back and has no more itself, such as what was in a deleted folder that it \
            saves something to, is gone then.

            It does not keep anybody out: whoever has the device can read the store until you change its password or keys.

            EXAMPLES
              docdrive device ls
              docdrive device forget old-laptop
              docdrive device forget 0123456789abcdef0123
            """)

    @Argument(help: "Its name or its id, as `docdrive device ls` shows them.")
    var device: String

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        let folder = try DrivePlace(nil).found()
        let chosen = try Self.chosen(device, of: DriveReader(folder).devices())
        try await DriveActing(folder: folder).perform(.forgetDevice(id: chosen.id))
        return .done
    }

    static func chosen(_ text: String, of devices: [DeviceSight]) throws(DriveError) -> DeviceSight {
        let found = devices.filter { $0.id == text.lowercased() || $0.name == text }
        // One that was set up anew often bears the name of its predecessor.
        let others = found.filter { !$0.isThis && !$0.isForgotten }
        guard others.count <= 1 else {
            throw DriveError(
                .usage,
                "\(others.count) devices are called so; give the id of the one that is gone: "
                    + others.map(\.id).joined(separator: ", "), path: text)
        }
        if let device = others.first ?? found.first(where: { !$0.isThis }) { return device }
        guard found.isEmpty else {
            throw DriveError(.usage, "this is the device itself, which is not gone; say so on another one", path: text)
        }
        throw DriveError(.usage, Advice.text("no device is called so; `docdrive device ls` names them"), path: text)
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
