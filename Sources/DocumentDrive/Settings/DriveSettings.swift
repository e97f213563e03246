public import DriveCore
import DriveFiles
import Foundation
import TOMLKit

/// What is written in a drive's `config.toml`, which people may edit.
public struct DriveSettings: Hashable, Sendable {
    /// Where the store is; nil for a drive without one.
    public var store: StoreAddress?
    /// Which store it is, so that another one in its place is noticed.
    public var storeID: String?
    /// How this device is called in the names of conflict copies.
    public var deviceName: String

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
        do {
            return try DriveSettings(parsing: bytes)
        } catch let error as DriveError {
            throw DriveError(error.kind, error.message, path: path(in: drive).description)
        } catch {
            throw DriveError(
                .needsDecision,
                "the settings cannot be read; correct the file, or move it away and connect the "
                    + "drive again with `docdrive sync --to URL`", path: path(in: drive).description)
        }
    }

    /// Throws a `DriveError` where a value may not be so, and what TOMLKit throws where the bytes are no TOML.
    init(parsing bytes: [UInt8]) throws {
        guard Self.headersBeginWithKeys(bytes) else { throw UnreadableSettings() }
        let table = try TOMLTable(string: String(decoding: bytes, as: UTF8.self))
        if let found = table["version"]?.int, found > Self.version {
            throw DriveError(.newerFormat, "the drive was set up by a newer version of docdrive; update this one")
        }
        store = try table["store"]?.string.map { try StoreAddress(Array($0.utf8)) }
        storeID = table["store-id"]?.string
        deviceName = table["device-name"]?.string ?? defaultDeviceLabel()
        try Self.check(deviceName: deviceName)
    }

    /// toml++ as TOMLKit 0.6.0 has it ends the process where a table's header does not begin with a key (`[é]`, `[=`).
    private static func headersBeginWithKeys(_ bytes: [UInt8]) -> Bool {
        let spaces: Set<UInt8> = [0x20, 0x09]
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return bytes[start...].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).allSatisfy { line in
            var rest = line.drop(while: spaces.contains)
            guard rest.first == UInt8(ascii: "[") else { return true }
            rest = rest.dropFirst().drop(while: spaces.contains)
            if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst().drop(while: spaces.contains) }
            guard let first = rest.first else { return false }
            let isLetterOrDigit = (0x30...0x39).contains(first) || (0x41...0x5A).contains(first & 0xDF)
            return isLetterOrDigit || "-_\"']".utf8.contains(first)
        }
    }

    public func save(to drive: FolderPath) throws(DriveError) {
        try SmallFile.write(Array(text.utf8), to: Self.path(in: drive))
    }

    /// What the file holds.
    var text: String {
        let table = TOMLTable()
        table["version"] = Self.version
        if let store { table["store"] = store.text }
        if let storeID { table["store-id"] = storeID }
        table["device-name"] = deviceName
        return "# DocumentDrive: the settings of this drive on this device.\n" + table.convert(to: .toml) + "\n"
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

/// The settings are no TOML.
private struct UnreadableSettings: Error {}
