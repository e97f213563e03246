import DriveCore
import DriveFiles
import DriveTesting
import Foundation

@testable import DriveTransport

/// A store in a folder, what lies beside it, and who comes to it; gone with all that is in it when the test is over.
///
/// Everything is real: the disk, the folder store, the index and the engine. Only the hostile device has no engine; it
/// writes what it likes with the product's own codecs, so that every checksum is right.
final class World {
    let place: URL
    let clock = ManualClock()
    let info: StoreInfo
    private let entropy = SeededEntropy(seed: 1)

    static let secret = "only mine\n"

    init() throws {
        place = FileManager.default.temporaryDirectory.appending(path: "drive-hostile-\(UUID().uuidString)")
        for name in ["store", "outside"] {
            try FileManager.default.createDirectory(
                at: place.appending(path: name), withIntermediateDirectories: true)
        }
        try Data(Self.secret.utf8).write(to: place.appending(path: "outside/secret"))
        info = StoreInfo(id: StoreID(high: entropy.next(), low: entropy.next()))
        var writer = ByteWriter()
        writer.fixed(info.id.high)
        writer.fixed(info.id.low)
        writer.byte(info.encryption.rawValue)
        try write(Envelope.seal(.format, writer.bytes), to: "format")
    }

    deinit { try? FileManager.default.removeItem(at: place) }

    func path(_ name: String) -> [UInt8] { Array(place.appending(path: name).path.utf8) }

    var objects: FolderObjectStore { FolderObjectStore(at: path("store")) }

    /// The folder that holds this drive's objects.
    var storeFolder: URL { place.appending(path: "store/dd1/\(info.id)") }

    /// Puts bytes under any name in the store, as somebody does who has the folder; what was there is replaced.
    func write(_ bytes: [UInt8], to name: String) throws {
        let url = storeFolder.appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: storeFolder.appending(path: name))) }

    /// The names of all objects that begin so, those of other tools included.
    func names(_ start: String = "") throws -> [String] {
        let root = storeFolder.path + "/"
        let found = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        var isFolder: ObjCBool = false
        return found.filter { name in
            name.hasPrefix(start) && FileManager.default.fileExists(atPath: root + name, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    /// `objects` is what the device has for the store.
    func device(
        _ name: String, checksView: Bool = true, objects: (any ObjectStore)? = nil, portion: Int = 256 << 20
    ) throws -> Device {
        try Device(
            name, in: self, objects ?? self.objects, entropy: SeededEntropy(seed: entropy.next()),
            checksView: checksView, portion: portion)
    }

    func hostile() -> HostileDevice {
        HostileDevice(entropy.deviceID(), StoreFolder(objects, info.id), entropy: entropy)
    }

    /// What lies outside the store and the drives: a test compares it before and after.
    func outside() throws -> [String: String] {
        var result: [String: String] = [:]
        let root = place.path + "/"
        for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            let top = name.split(separator: "/")[0]
            if top == "store" || top.hasPrefix("drive-") { continue }
            let attributes = try FileManager.default.attributesOfItem(atPath: root + name)
            let bytes = (try? Data(contentsOf: URL(filePath: root + name))) ?? Data()
            result[name] =
                "\(attributes[.type] ?? "") \(attributes[.posixPermissions] ?? "") "
                + "\(attributes[.modificationDate] ?? "") \(String(decoding: bytes, as: UTF8.self))"
        }
        return result
    }
}
