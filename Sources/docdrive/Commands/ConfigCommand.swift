import ArgumentParser
import DocumentDrive
import DriveCore
import DriveTransport
import FileCoordination

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "The drive's settings on this device.",
        discussion: """
            They stand in .docdrive/config.toml. device-name is what conflict copies call this device. scrub-days says in \
            how many days `docdrive watch` reads every file once more, to notice what the disk has lost (`status` lists \
            it); 30 unless you say otherwise, 0 for never. A running watch takes it within the hour. bwlimit is how much may go to \
            and from the store in a second: 512K, 2M, UP:DOWN or off, a number alone being KiB; a watch takes it when it \
            starts.

            EXAMPLES
              docdrive config get
              docdrive config set device-name thinkpad
              docdrive config set bwlimit 2M:off
            """,
        subcommands: [ConfigGet.self, ConfigSet.self], defaultSubcommand: ConfigGet.self)
}

struct ConfigGet: DriveCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Prints one setting, or all.")

    @Argument(
        help: "device-name, scrub-days, bwlimit, store or store-id.",
        completion: .list(["device-name", "scrub-days", "bwlimit", "store", "store-id"]))
    var key: String?

    @OptionGroup var output: OutputOptions

    /// The settings under their own names, beside what every document has.
    private struct SettingsJSON: Encodable {
        var values: [String: String?]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: Key(stringValue: "v"))
            try container.encode("config", forKey: Key(stringValue: "type"))
            for (name, value) in values { try container.encode(value, forKey: Key(stringValue: name)) }
        }

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    func work() async throws -> ExitStatus {
        let folder = try DrivePlace(nil).found()
        let settings = try DriveSettings.load(from: folder)
        var values = ["device-name": settings.deviceName]
        values["scrub-days"] = "\(settings.scrubDays)"
        values["bwlimit"] = settings.bandwidth?.text ?? "off"
        values["store"] = settings.store?.shown
        values["store-id"] = settings.storeID
        if let key {
            guard ["device-name", "scrub-days", "bwlimit", "store", "store-id"].contains(key) else {
                throw DriveError(.usage, "no setting has this name; `docdrive config get` lists them", path: key)
            }
            let value = values[key]
            if !output.printJSON(SettingsJSON(values: [key: value])), let value { Output.line(value) }
            if value == nil { return .no }
        } else if !output.printJSON(SettingsJSON(values: values.mapValues(\.self))) {
            for key in values.keys.sorted() { Output.line("\(key) = \(Escaped.text(values[key] ?? ""))") }
        }
        return .done
    }
}

struct ConfigSet: DriveCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Changes a setting.")

    @Argument(
        help: "device-name, scrub-days or bwlimit.",
        completion: .list(["device-name", "scrub-days", "bwlimit"]))
    var key: String

    @Argument(help: "The new value.")
    var value: String

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        let folder = try DrivePlace(nil).found()
        switch key {
        case "device-name":
            try DriveSettings.check(deviceName: value)
            try await DriveActing(folder: folder).perform(.renameDevice(value))
        case "scrub-days":
            guard let days = Int(value), DriveSettings.possibleScrubDays.contains(days) else {
                throw DriveError(.usage, "scrub-days is a number of days from 0 (never) to 3650", path: value)
            }
            try DriveSettings.change(in: folder) { $0.scrubDays = days }
        case "bwlimit":
            guard let rates = BandwidthRates(value) else { throw BandwidthRates.unreadable(value) }
            try DriveSettings.change(in: folder) { $0.bandwidth = rates.isUnlimited ? nil : rates }
        case "store", "store-id":
            throw DriveError(
                .usage,
                "this is not changed here: where the store was moved, write its new address as `store` into the drive's "
                    + ".docdrive/config.toml; another store goes with another folder", path: key)
        default: throw DriveError(.usage, "no setting has this name; `docdrive config get` lists them", path: key)
        }
        return .done
    }
}
