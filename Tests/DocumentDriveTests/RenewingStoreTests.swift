import DriveCore
import DriveRemoteStores
import Synchronization
import Testing

@testable import DocumentDrive

/// Whoever signs in anew need not start again what works with the store already.
struct RenewingStoreTests {
    /// Knows one password, and says under which one it was asked.
    private struct Guarded: ObjectStore, StoreLocation {
        let given: StoreCredentials?
        let right: String
        var capabilities: StoreCapabilities { StoreCapabilities() }

        private func check() throws(DriveError) {
            if given?.secret.text != right { throw DriveError(.notAuthenticated, "who are you?") }
        }

        func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
            try check()
            return Array((given?.user ?? "").utf8)
        }
        func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) { try check() }
        func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
            try check()
            return []
        }
        func delete(_ key: ObjectKey) async throws(DriveError) { try check() }
        func look() async throws(DriveError) -> StoreFinding {
            try check()
            return .store
        }
        func create() async throws(DriveError) { try check() }
        func remove() async throws(DriveError) { try check() }
    }

    private final class Kept: Sendable {
        let credentials = Mutex<StoreCredentials?>(nil)
        let opened = Mutex(0)

        func keep(_ user: String, _ secret: String) {
            credentials.withLock { $0 = StoreCredentials(user: user, secret: Secret(secret)) }
        }

        func store() throws -> RenewingStore {
            try RenewingStore(loading: { self.credentials.withLock { $0 } }) { credentials in
                self.opened.withLock { $0 += 1 }
                return Guarded(given: credentials, right: "right")
            }
        }
    }

    @Test func whatIsRefusedIsTriedAgainWithWhatIsKeptNow() async throws {
        let kept = Kept()
        let store = try kept.store()
        await #expect(throws: DriveError.self) { try await store.look() }
        // Nothing else is kept, so nothing is opened.
        #expect(kept.opened.withLock { $0 } == 1)
        kept.keep("ada", "wrong")
        await #expect(throws: DriveError.self) { try await store.get("x", range: nil) }
        kept.keep("ada", "right")
        #expect(try await store.get("x", range: nil) == Array("ada".utf8))
        #expect(try await store.look() == .store)
        #expect(kept.opened.withLock { $0 } == 3)
    }

    @Test func anotherNameIsTakenThoughTheOldOneStillHolds() async throws {
        let kept = Kept()
        kept.keep("ada", "right")
        let store = try kept.store()
        #expect(!store.renew())
        kept.keep("grace", "right")
        #expect(try await store.get("x", range: nil) == Array("ada".utf8))
        #expect(store.renew())
        #expect(try await store.get("x", range: nil) == Array("grace".utf8))
        // Who signs out is known no more.
        kept.credentials.withLock { $0 = nil }
        #expect(store.renew())
        await #expect(throws: DriveError.self) { try await store.look() }
    }

    /// Signs in by a file of other programs.
    private final class Shared: ObjectStore, StoreLocation, SigningStore {
        let file = Mutex("old")
        private let used = Mutex("old")
        let calls = Mutex(0)
        var capabilities: StoreCapabilities { StoreCapabilities() }

        func renewLogin() -> Bool {
            let now = file.withLock { $0 }
            return used.withLock { used in
                defer { used = now }
                return used != now
            }
        }

        private func check() throws(DriveError) {
            calls.withLock { $0 += 1 }
            if used.withLock({ $0 }) != "new" { throw DriveError(.notAuthenticated, "who are you?") }
        }

        func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? { nil }
        func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) { try check() }
        func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] { [] }
        func delete(_ key: ObjectKey) async throws(DriveError) {}
        func look() async throws(DriveError) -> StoreFinding { .store }
        func create() async throws(DriveError) {}
        func remove() async throws(DriveError) {}
    }

    @Test func whatOtherProgramsSignInWithIsReadAnew() async throws {
        let shared = Shared()
        let store = try RenewingStore(loading: { nil }) { _ in shared }
        await #expect(throws: DriveError.self) { try await store.put("x", []) }
        #expect(shared.calls.withLock { $0 } == 1)
        shared.file.withLock { $0 = "new" }
        try await store.put("x", [])
        #expect(shared.calls.withLock { $0 } == 3)
        #expect(!store.renew())
    }
}
