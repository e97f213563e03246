import DriveCore
import Foundation
import Testing

@testable import DocumentDrive

/// Devices that make a store in one place at the same time.
struct NewStoreTests {
    @Test(arguments: 0..<4) func allTakeTheSame(_ round: Int) async throws {
        let root = NSTemporaryDirectory() + "docdrive-new-store-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let store = try StoreAddress(Array("\(root)/store".utf8))
        let folders = (0..<4).map { FolderPath("\(root)/\($0)") }
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder.description, withIntermediateDirectories: true)
        }
        let ids = try await withThrowingTaskGroup(of: String?.self) { group in
            for folder in folders {
                group.addTask {
                    try await DriveSetup(folder: folder, store: store).carryOut()
                    _ = try await Drive.open(folder).sync()
                    return try DriveSettings.load(from: folder).storeID
                }
            }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(ids.count == 1 && ids.first != nil, "\(ids)")
    }

    @Test func aDriveThatIsInUseMakesNone() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let drive = try device.drive()
        let setup = try DriveSetup(folder: device.folder, store: StoreAddress(Array("\(world.root)/store".utf8)))
        let error = await #expect(throws: DriveError.self) { try await setup.carryOut() }
        #expect(error?.kind == .temporary && world.objects.isEmpty)
        await drive.close()
        try await setup.carryOut()
        #expect(!world.objects.isEmpty)
    }
}
