public import DriveCore
public import DriveIndex
import DriveFiles
import DrivePredicates
import DriveTypes
import FileCoordination
import Glibc

/// Looks at a drive without touching it: works with nothing running, on a read-only disk, and beside a running sync.
///
/// For one thread at a time.
public final class DriveReader {
    public let folder: FolderPath
    public let settings: DriveSettings
    public let index: DriveIndex

    public init(_ folder: FolderPath) throws {
        self.folder = folder
        settings = try DriveSettings.load(from: folder)
        index = try IndexFile(drive: folder).openForReading()
    }

    /// When the index was last written, in milliseconds since 1970.
    public var age: UInt64 {
        var newest: UInt64 = 0
        for ending in ["", "-wal"] {
            var facts = stat()
            let path = FolderPath(IndexFile(drive: folder).path.bytes + Array(ending.utf8))
            guard path.withPointer({ stat($0, &facts) }) == 0 else { continue }
            newest = max(
                newest, UInt64(max(0, facts.st_mtim.tv_sec)) * 1000 + UInt64(facts.st_mtim.tv_nsec) / 1_000_000)
        }
        return newest
    }

    /// Everything, or what lies in a folder, in the order of paths.
    public func items(in folder: DrivePath? = nil) throws -> [FoundItem] {
        var query = NameQuery()
        query.folder = folder?.isRoot == true ? nil : folder
        return try index.search(query).sorted { $0.path < $1.path }
    }

    /// What the query asks for, in no particular order.
    public func search(_ query: NameQuery) throws -> [FoundItem] {
        do { return try index.search(query, in: folder.bytes, types: Self.type) } catch let error
            as PredicateEvaluationError
        {
            throw DriveError(.usage, "the query compares what cannot be compared: \(error)")
        }
    }

    /// By the name alone: a search opens no file.
    private static func type(of row: Row) -> ItemType? {
        let types = ContentTypes.shared
        let found =
            switch row.kind {
            case .folder: types.folder
            case .link: types.link
            case .file: types.type(name: row.name.bytes) ?? types.type(mime: "application/octet-stream")
            }
        return ItemType(identifier: found.identifier, tree: found.tree, kind: found.kind, mime: found.mime)
    }

    /// A path on this machine as one beneath the drive; nil where it is not in it.
    public func path(of place: FolderPath) -> DrivePath? { place.path(beneath: folder) }

    /// The devices that share the drive.
    public func devices() throws -> [DeviceSight] {
        let own = try index.numbers().device
        let labels = try index.labels()
        let token = try index.token()
        var seen: [String: UInt64] = [:]
        for event in try index.events(limit: DriveIndex.keptEvents) {
            if let device = event.device, seen[device] == nil { seen[device] = event.time }
        }
        return Set(labels.devices + token.entries.map(\.device) + [own]).sorted().map { device in
            let name = labels.text(Dot(device: device, n: .max))
            return DeviceSight(
                id: device.description, name: name, isThis: device == own, lastChange: device == own ? nil : seen[name])
        }
    }
}

public struct DeviceSight: Hashable, Sendable, Codable {
    public var v = 1
    public var type = "device"
    public var id: String
    public var name: String
    public var isThis: Bool
    /// When a change of it was last applied here, in milliseconds since 1970.
    public var lastChange: UInt64?
}
