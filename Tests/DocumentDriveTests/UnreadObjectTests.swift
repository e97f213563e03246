import DriveCore
import Foundation
import Testing

@testable import DocumentDrive

/// What a store fails to read, while it answers otherwise, may be whole: nobody calls it damaged, and nobody gives it up.
struct UnreadObjectTests {
    private func failing(
        _ part: String, _ error: DriveError = DriveError(.objectFailed, "500, said the server")
    ) -> WiringChanges {
        var changes = WiringChanges()
        changes.store = { StumblingStore(base: $0, part: part, error: error) }
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
        let why = try a.why("New")
        #expect(why.cause == .storeBusy && why.standing == .waiting)
        #expect(why.waitsFor == "500, said the server")
        try await a.sync()
        #expect(try a.why("New").cause == .brought)
    }

    /// Waiting does not help there.
    @Test func whatTheStoreDeniesIsSaidWithItsReason() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try b.write("New", "some bytes")
        try await b.sync()
        try await a.sync(failing("/pack/", DriveError(.permissionDenied, "403, said the server")))
        let why = try a.why("New")
        #expect(why.cause == .storeDenied && why.standing == .error && !why.mayPass)
        #expect(why.waitsFor == "403, said the server" && why.remedy == "docdrive doctor")
        try await a.sync()
        #expect(try a.why("New").cause == .brought)
    }
}

/// Fails at objects of these names, as `RetryingObjectStore` says it or otherwise.
private struct StumblingStore: ObjectStore {
    let base: any ObjectStore
    let part: String
    let error: DriveError
    var capabilities: StoreCapabilities { base.capabilities }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        if key.contains(part) { throw DriveError(error.kind, error.message, path: key) }
        return try await base.get(key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) { try await base.put(key, bytes) }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }
}
