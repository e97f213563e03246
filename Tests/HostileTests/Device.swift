import DriveCore
import DriveFiles
import DriveIndex
import DriveTransport
import FileCoordination
import Foundation

/// An honest device: the real engine over a real folder and a real index.
final class Device {
    let root: URL
    let index: DriveIndex
    private(set) var engine: DriveEngine

    init(
        _ name: String, in world: World, _ objects: any ObjectStore, entropy: any Entropy, checksView: Bool,
        portion: Int = 256 << 20
    ) throws {
        root = world.place.appending(path: "drive-\(name)")
        let files = try DiskFileStore.create(at: Array(root.path.utf8), replica: name)
        index = try DriveIndex(path: Array(root.appending(path: ".docdrive/index.sqlite").path.utf8))
        let id = entropy.deviceID()
        let labels = [DeviceLabel(from: 0, text: name)]
        let index = index
        try index.transaction {
            try index.setNumbers(RecordNumbers(device: id))
            try index.setJournal(JournalMemory(device: id, labels: labels))
        }
        var options = EngineOptions()
        options.checksView = checksView
        options.freeSpaceFloor = 0
        let transport = JournalTransport(
            objects, store: world.info, device: id, entropy: entropy, portion: portion)
        engine = DriveEngine(
            DriveParts(
                files: files, state: index, transport: transport, clock: world.clock, entropy: entropy,
                options: options))
    }

    var id: DeviceID { get throws { try index.numbers().device } }

    @discardableResult
    func sync() async throws -> DriveEngine.PassOutcome { try await engine.sync() }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: root.appending(path: name))
    }

    func text(_ name: String) -> String? {
        (try? Data(contentsOf: root.appending(path: name))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The paths of everything in the folder but the drive's own, links not followed.
    func tree() throws -> Set<String> {
        var result: Set<String> = []
        for case let name as String in FileManager.default.enumerator(atPath: root.path) ?? .init()
        where name != ".docdrive" && !name.hasPrefix(".docdrive/") {
            result.insert(name)
        }
        return result
    }

    /// What the drive's own folder holds besides index and areas, which nobody from outside may add to.
    func ownFolder() throws -> Set<String> {
        Set(
            try FileManager.default.contentsOfDirectory(atPath: root.appending(path: ".docdrive").path)
                .filter { !$0.hasPrefix("index.sqlite") })
    }

    var problems: [String] { get throws { try index.problems().map { "\($0.path): \($0.reason)" } } }
}
