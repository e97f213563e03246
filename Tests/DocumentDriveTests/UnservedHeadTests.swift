import DriveCore
import Foundation
import Testing

@testable import DocumentDrive

/// A server lists the heads of journals and does not find them: nobody can read what they commit.
struct UnservedHeadTests {
    /// Each has published, and read what the other has.
    private func pair(of world: WhyWorld) async throws -> (WhyDevice, WhyDevice) {
        let (a, b) = try await world.pair()
        try b.write("Of beta", "text")
        try await b.sync()
        try await a.sync()
        return (a, b)
    }

    private func look(_ device: WhyDevice, _ changes: WiringChanges, isQuick: Bool = false) async throws -> StoreReport
    {
        var look = StoreLook(try DriveReader(device.folder), isQuick: isQuick)
        look.changes = changes
        return try await look.run()
    }

    @Test(arguments: [false, true]) func whatIsListedAndNotFoundIsMissing(isQuick: Bool) async throws {
        let world = try WhyWorld()
        let (a, b) = try await pair(of: world)
        let unserved = WiringChanges.unserved(world.heads)
        for device in [a, b] {
            let report = try await look(device, unserved, isQuick: isQuick)
            #expect(report.damage.count == world.heads.count)
            #expect(report.damage.allSatisfy { $0.kind == "head" && $0.isMissing })
            #expect(Set(report.damage.map(\.isOwn)) == [true, false])
            // What its journals refer to nobody knows.
            #expect(report.unreferencedObjects == 0)
        }
        #expect(try await look(a, WiringChanges(), isQuick: isQuick).isWell)
    }

    @Test func eachDevicePutsItsOwnAnew() async throws {
        let world = try WhyWorld()
        let (a, b) = try await pair(of: world)
        let unserved = WiringChanges.unserved(world.heads)
        for device in [a, b] {
            let report = try await look(device, unserved)
            let drive = try device.drive(unserved)
            try await drive.engine.use { try await $0.repairStore(report.repair) }
        }
        for device in [a, b] { #expect(try await look(device, unserved).damage.isEmpty) }
    }

    /// The message says what to do, as that of a part of the journal does.
    @Test func whoWaitsForAJournalIsToldWhatToDo() async throws {
        let world = try WhyWorld()
        let (a, b) = try await pair(of: world)
        let known = world.heads
        try b.write("New", "some bytes")
        try await b.sync()
        let new = world.heads.subtracting(known)
        #expect(!new.isEmpty)
        let summary = try await a.sync(.unserved(new))
        #expect(!summary.isComplete)
        let problems = try DriveReader(a.folder).index.problems().map(\.reason)
        #expect(problems.contains { $0.contains("`docdrive store check --repair` on that device") }, "\(problems)")
    }

    @Test func theDoctorNamesAJournalWithoutAHead() async throws {
        let world = try WhyWorld()
        let (a, _) = try await pair(of: world)
        let before = await Doctor(a.folder).run()
        #expect(!before.contains { $0.message.contains("cannot be read: its head") })
        try world.damage("head")
        let told = await Doctor(a.folder).run().first { $0.message.contains("beta") && $0.level == .warning }
        #expect(told?.check == "store")
        #expect(told?.message.hasSuffix("cannot be read: its head is listed, and missing or not whole") == true)
    }
}

extension WhyWorld {
    /// The keys of all heads.
    fileprivate var heads: Set<ObjectKey> { Set(objects.filter { $0.contains("/head/") }) }
}

extension WiringChanges {
    fileprivate static func unserved(_ keys: Set<ObjectKey>) -> WiringChanges {
        var changes = WiringChanges()
        changes.store = { UnservingStore(base: $0, keys: keys) }
        return changes
    }
}

/// Lists all, and finds none of these.
private struct UnservingStore: ObjectStore {
    let base: any ObjectStore
    let keys: Set<ObjectKey>
    var capabilities: StoreCapabilities { base.capabilities }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        keys.contains(key) ? nil : try await base.get(key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) { try await base.put(key, bytes) }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }
}
