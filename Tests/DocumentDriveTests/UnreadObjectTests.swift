import DriveCore
import Foundation
import Testing

@testable import DocumentDrive

/// What a store fails to read, while it answers otherwise, may be whole: nobody calls it damaged, and nobody gives it up.
struct UnreadObjectTests {
    private func failing(_ part: String) -> WiringChanges {
        var changes = WiringChanges()
        changes.store = { StumblingStore(base: $0, part: part) }
        return changes
    }

    private func look(_ device: WhyDevice, _ part: String) async throws -> StoreReport {
        var look = StoreLook(try DriveReader(device.folder))
        look.changes = failing(part)
        return try await look.run()
    }

    @Test(arguments: ["/pack/", "/head/", "/log/"]) func itIsNoDamage(_ part: String) async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try b.write("New", "some bytes")
        try await b.sync()
        let report = try await look(a, part)
        #expect(report.damage.isEmpty && report.repair.isEmpty)
        #expect(!report.unread.isEmpty && !report.isWell)
        if part == "/pack/" { #expect(report.unread.contains { $0.paths == ["New"] }) }
        #expect(try await look(a, "/nothing/").isWell)
    }

    /// A server may fail at it for ever; whoever joins then would wait as long.
    @Test func whatIsNeverReadIsStoredAgainByWhoHasIt() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let known = Set(world.objects)
        try b.write("New", "some bytes")
        try await b.sync()
        try await a.sync()
        let new = try #require(world.objects.first { $0.contains("/pack/") && !known.contains($0) })
        let pack = (new as NSString).lastPathComponent
        let report = try await look(a, pack)
        #expect(!report.repairOfUnread.isEmpty && report.repair.isEmpty)
        let drive = try a.drive(failing(pack))
        try await drive.engine.use { try await $0.repairStore(report.repairOfUnread) }
        for _ in 0..<2 { _ = try await drive.sync() }
        #expect(try await look(a, pack).isWell)
        try b.remove("New")
        #expect(try await b.sync(failing(pack)).isComplete)
    }

    @Test func whatNeedsItWaits() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try b.write("New", "some bytes")
        try await b.sync()
        try await a.sync(failing("/pack/"))
        #expect(try a.why("New").cause == .storeBusy && a.why("New").standing == .waiting)
        try await a.sync()
        #expect(try a.why("New").cause == .brought)
    }
}

/// Fails at objects of these names as `RetryingObjectStore` says it.
private struct StumblingStore: ObjectStore {
    let base: any ObjectStore
    let part: String
    var capabilities: StoreCapabilities { base.capabilities }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        if key.contains(part) { throw DriveError(.objectFailed, "500, said the server", path: key) }
        return try await base.get(key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) { try await base.put(key, bytes) }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }
}
