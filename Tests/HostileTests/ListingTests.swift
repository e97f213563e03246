import DriveCore
import FileCoordination
import Testing

@testable import DriveTransport

/// Says of each object that it is as large as a file can be.
private struct BoastingStore: ObjectStore {
    let base: any ObjectStore
    var capabilities: StoreCapabilities { base.capabilities }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        try await base.get(key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) { try await base.put(key, bytes) }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit).map {
            StoredObject(key: $0.key, size: UInt64(Int64.max))
        }
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }
}

/// SE11: what a list of the store says of objects is whatever a server likes to say.
@Suite struct ListingTests {
    @Test func sizesThatAreClaimedAreAddedUp() async throws {
        let world = try World()
        let store = BoastingStore(base: world.objects)
        let victim = try world.device("victim", objects: store)
        try victim.write("letter.txt", "hello")
        try await victim.sync()
        for number in 1...3 { try world.write([1], to: "pack/\(try victim.id)/000000000000000\(number)") }
        guard case .nothing(let unneeded, _) = try await victim.engine.collect() else {
            Issue.record("expected nothing to be old enough")
            return
        }
        #expect(unneeded.objects == 3 && unneeded.bytes == .max)
        var check = StoreCheck(store, store: world.info)
        let all = try await check.unreferenced()
        #expect(all.objects > 3 && all.bytes == .max)
        for _ in 0..<3 { check.count(UInt64(Int64.max)) }
        #expect(check.bytes == .max)
    }
}
