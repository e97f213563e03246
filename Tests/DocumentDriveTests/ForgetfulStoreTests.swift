import DriveCore
import FileCoordination
import Foundation
import Testing

@testable import DocumentDrive

/// Says that it has taken a head, and has not.
private struct ForgetfulStore: ObjectStore {
    let base: any ObjectStore

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        try await base.get(key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        if !key.contains("/head/") { try await base.put(key, bytes) }
    }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }
}

struct ForgetfulStoreTests {
    /// Nothing is in step where the store does not have what was published.
    @Test func whatTheStoreLosesAgainAndAgainIsSaid() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        var changes = WiringChanges()
        changes.store = { ForgetfulStore(base: $0) }
        try a.write("New", "1")
        let summary = try await a.sync(changes)
        #expect(summary.problems == 1 && !summary.isComplete, "\(summary)")
        try await b.sync()
        #expect(try b.names == ["Letter.txt"])
        // Once it keeps what it is given, all is said again.
        #expect(try await a.sync().problems == 0)
        try await b.sync()
        #expect(try Set(b.names) == ["Letter.txt", "New"])
    }
}
