import DriveCore
import FileCoordination
import Foundation
import Glibc
import Testing

@testable import DocumentDrive

/// Real folders of several devices and a real store, gone with the value.
final class WhyWorld: Sendable {
    let root: String

    init(in place: String = NSTemporaryDirectory()) throws {
        root = (place.hasSuffix("/") ? place : place + "/") + "docdrive-why-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: "\(root)/store", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// A device of this name that shares the store.
    func device(_ name: String, hasStore: Bool = true) async throws -> WhyDevice {
        let folder = FolderPath("\(root)/\(name)")
        try FileManager.default.createDirectory(atPath: folder.description, withIntermediateDirectories: true)
        let store = hasStore ? try StoreAddress(Array("\(root)/store".utf8)) : nil
        try await DriveSetup(folder: folder, store: store, deviceName: (name as NSString).lastPathComponent)
            .carryOut()
        return WhyDevice(folder: folder)
    }

    /// Two devices that have the same files.
    func pair(_ files: [String: String] = ["Letter.txt": "dear\n"]) async throws -> (WhyDevice, WhyDevice) {
        let (a, b) = (try await device("alpha"), try await device("beta"))
        for (path, text) in files { try a.write(path, text) }
        try await a.sync()
        try await b.sync()
        return (a, b)
    }

    /// What lies beneath the store's one drive.
    var objects: [String] {
        let all = FileManager.default.enumerator(atPath: "\(root)/store")?.compactMap { $0 as? String } ?? []
        var isFolder: ObjCBool = false
        return all.filter {
            FileManager.default.fileExists(atPath: "\(root)/store/\($0)", isDirectory: &isFolder) && !isFolder.boolValue
        }
    }

    /// Changes one bit of every object that was not there before.
    func damage(_ kind: String, but before: Set<String> = []) throws {
        for name in objects where name.contains("/\(kind)/") && !before.contains(name) {
            let place = URL(fileURLWithPath: "\(root)/store/\(name)")
            var bytes = try Data(contentsOf: place)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: place)
        }
    }
}

struct WhyDevice: Sendable {
    let folder: FolderPath

    func drive(_ changes: WiringChanges = WiringChanges(), waitsForWriters: Bool = false) throws -> Drive {
        try Drive.open(folder, waitsForWriters: waitsForWriters, changes: changes)
    }

    @discardableResult
    func sync(_ changes: WiringChanges = WiringChanges()) async throws -> SyncSummary {
        try await drive(changes).sync()
    }

    /// Only a look at the folder.
    func scan(_ changes: WiringChanges = WiringChanges(), waitsForWriters: Bool = false) async throws {
        _ = try await drive(changes, waitsForWriters: waitsForWriters).engine.use { try await $0.scan() }
    }

    func why(_ path: DrivePath, running: RunningStatus? = nil) throws -> Explanation {
        try DriveReader(folder).explanation(of: path, running: running)
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func write(_ name: String, _ text: String) throws {
        let folder = (path(name) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: path(name), atomically: false, encoding: .utf8)
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// Of what lies directly in the drive, but for what is hidden.
    var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.description).filter { !$0.hasPrefix(".") }
        }
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
    }
}

/// A store whose calls fail as somebody wants.
struct FaultyStore: ObjectStore {
    let base: any ObjectStore
    let error: DriveError
    var failsReading = false
    var capabilities: StoreCapabilities { base.capabilities }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        if failsReading { throw error }
        return try await base.get(key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) { throw error }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }
}

/// Takes no object of more bytes.
struct LimitedStore: ObjectStore {
    let base: any ObjectStore
    let limit: Int
    var capabilities: StoreCapabilities { base.capabilities }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        try await base.get(key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        guard bytes.count <= limit else { throw DriveError(.tooLarge, "413, said the server", path: key) }
        try await base.put(key, bytes)
    }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }
}

extension WiringChanges {
    /// Nothing can be put.
    static func failing(_ kind: DriveError.Kind, _ message: String) -> WiringChanges {
        var changes = WiringChanges()
        changes.store = { FaultyStore(base: $0, error: DriveError(kind, message, path: "dd1/pack")) }
        return changes
    }
}

/// A clock that is wrong.
struct SkewedClock: WallClock {
    let advance: UInt64

    func milliseconds() -> UInt64 { UInt64(Date().timeIntervalSince1970 * 1000) + advance }
}
