public import DriveCore
import DriveFiles
public import DriveTransport
import Foundation

/// What is written in a drive's `config.toml`, which people may edit.
public struct DriveSettings: Hashable, Sendable {
    /// Where the store is; nil for a drive without one.
    public var store: StoreAddress?
    /// Which store it is, so that another one in its place is noticed.
    public var storeID: String?
    /// How this device is called in the names of conflict copies.
    public var deviceName: String
    /// Days in which a watch reads every file once more, to notice what the disk has lost; 0 for never.
    public var scrubDays = 30
    public static let possibleScrubDays = 0...3_650
    /// How fast bytes may go to and from the store; nil for as fast as it goes.
    public var bandwidth: BandwidthRates?

    public init(store: StoreAddress? = nil, storeID: String? = nil, deviceName: String = defaultDeviceLabel()) {
        self.store = store
        self.storeID = storeID
        self.deviceName = deviceName
    }

    static let fileName: FileName = "config.toml"
    private static let version = 1

    static func path(in drive: FolderPath) -> FolderPath {
        drive.appending(DriveLayout.state).appending(fileName)
    }

    /// Defaults where there is no file.
    public static func load(from drive: FolderPath) throws(DriveError) -> DriveSettings {
        guard let bytes = try SmallFile.read(path(in: drive)) else { return DriveSettings() }
        do throws(DriveError) {
            return try DriveSettings(parsing: bytes, of: drive)
        } catch {
            throw DriveError(error.kind, error.message, path: path(in: drive).description)
        }
    }

    /// What stands in the file and means nothing, such as a mistyped name.
    static func unknownKeys(in drive: FolderPath) throws(DriveError) -> [String] {
        guard let bytes = try SmallFile.read(path(in: drive)) else { return [] }
        return try values(bytes).keys.filter { !keys.contains($0) }.sorted()
    }

    private static let keys: Set<String> = ["version", "device-name", "store", "store-id", "scrub-days", "bwlimit"]

    /// Paths in them are beneath the drive's folder, whatever the current folder is.
    init(parsing bytes: [UInt8], of drive: FolderPath = FolderPath("/")) throws(DriveError) {
        let values = try Self.values(bytes)
        if let found = try Self.number("version", in: values), found > Self.version {
            throw DriveError(.newerFormat, "the drive was set up by a newer version of docdrive; update this one")
        }
        if let store = try Self.text("store", in: values) { self.store = try StoreAddress(store, in: drive) }
        storeID = try Self.text("store-id", in: values)
        deviceName = try Self.text("device-name", in: values) ?? defaultDeviceLabel()
        try Self.check(deviceName: deviceName)
        scrubDays = try Self.number("scrub-days", in: values) ?? scrubDays
        guard Self.possibleScrubDays.contains(scrubDays) else {
            throw Self.unreadable("scrub-days is a number of days from 0 to 3650")
        }
        if let text = try Self.text("bwlimit", in: values) {
            guard let rates = BandwidthRates(text) else {
                throw Self.unreadable(
                    "bwlimit is a rate such as \"512K\", \"2M\", \"off\", or two of them, \"UP:DOWN\"")
            }
            bandwidth = rates.isUnlimited ? nil : rates
        }
    }

    private static func values(_ bytes: [UInt8]) throws(DriveError) -> [String: SettingsText.Value] {
        do throws(SettingsText.Failure) { return try SettingsText(parsing: bytes).values } catch {
            throw unreadable("\(error)")
        }
    }

    private static func text(
        _ key: String, in values: [String: SettingsText.Value]
    ) throws(DriveError) -> String? {
        switch values[key] {
        case nil: return nil
        case .text(let text): return text
        default: throw unreadable("\(key) is text, so it stands in quotes")
        }
    }

    private static func number(_ key: String, in values: [String: SettingsText.Value]) throws(DriveError) -> Int? {
        switch values[key] {
        case nil: return nil
        case .number(let number): return number
        default: throw unreadable("\(key) is a whole number")
        }
    }

    private static func unreadable(_ reason: String) -> DriveError {
        DriveError(
            .needsDecision,
            "the settings cannot be read: \(reason); correct the file, or move it away and connect the drive again with "
                + "`docdrive sync --to URL`")
    }

    /// Into the file that is there, of which all else stays as people have written it.
    public func save(to drive: FolderPath) throws(DriveError) {
        try Self.replace(in: drive) { old throws(DriveError) in try written(over: old, of: drive) }
    }

    /// What the file says by then, changed: what others change in it meanwhile stays.
    @discardableResult
    public static func change(
        in drive: FolderPath, _ change: (inout DriveSettings) throws(DriveError) -> Void
    ) throws(DriveError) -> DriveSettings {
        var settings = DriveSettings()
        try replace(in: drive) { old throws(DriveError) in
            if let old { settings = try DriveSettings(parsing: old, of: drive) }
            try change(&settings)
            return try settings.written(over: old, of: drive)
        }
        return settings
    }

    private static func replace(
        in drive: FolderPath, _ change: ([UInt8]?) throws(DriveError) -> [UInt8]
    ) throws(DriveError) {
        let path = path(in: drive)
        do throws(DriveError) { try SmallFile.replace(path, change) } catch {
            throw DriveError(error.kind, error.message, path: path.description)
        }
    }

    /// What the file holds then; nil where there is none yet.
    func written(over old: [UInt8]? = nil, of drive: FolderPath = FolderPath("/")) throws(DriveError) -> [UInt8] {
        let before =
            try old.map { bytes throws(DriveError) in try DriveSettings(parsing: bytes, of: drive).lines } ?? []
        let settings = lines.map { line in
            var line = line
            line.isAsBefore = before.contains { $0.key == line.key && $0.value == line.value }
            return line
        }
        do throws(SettingsText.Failure) {
            return try SettingsText.changing(old ?? Array(Self.title.utf8), to: settings)
        } catch {
            throw Self.unreadable("\(error)")
        }
    }

    private static let title = "# DocumentDrive: the settings of this drive on this device.\n"

    private var lines: [SettingsText.Setting] {
        [
            .init(key: "version", value: .number(Self.version)), .init(key: "device-name", value: .text(deviceName)),
            .init(key: "store", value: (store?.text).map { .text($0) }),
            .init(key: "store-id", value: storeID.map { .text($0) }),
            .init(key: "scrub-days", value: .number(scrubDays), isImplied: scrubDays == DriveSettings().scrubDays),
            .init(key: "bwlimit", value: .text(bandwidth?.text ?? "off"), isImplied: bandwidth == nil),
        ]
    }

    /// 1 to 40 bytes, no `/`, control characters or parentheses, which would make the names of copies ambiguous.
    public static func check(deviceName: String) throws(DriveError) {
        guard ConflictName.isValidLabel(deviceName) else {
            throw DriveError(
                .usage,
                "a device's name has 1 to 40 bytes and no slash, parenthesis or control character; choose "
                    + "another", path: deviceName)
        }
    }
}
