import DriveCore
import DriveTransport
import Foundation
import Testing

@testable import DriveRemoteStores

/// Over every server of S3 that this machine has.
struct S3ServerTests {
    @Test(.enabled(if: S3Server.moto.isPossible, S3Server.moto.remedy), arguments: ObjectStoreContract.promises)
    func moto(_ promise: ObjectStoreContract.Promise) async throws {
        try await promise.check { try await S3Server.moto.freshStore() }
    }

    @Test(.enabled(if: S3Server.rclone.isPossible, S3Server.rclone.remedy), arguments: ObjectStoreContract.promises)
    func rclone(_ promise: ObjectStoreContract.Promise) async throws {
        try await promise.check { try await S3Server.rclone.freshStore() }
    }

    @Test(.enabled(if: S3Server.ceph.isPossible, S3Server.ceph.remedy), arguments: ObjectStoreContract.promises)
    func ceph(_ promise: ObjectStoreContract.Promise) async throws {
        try await promise.check { try await S3Server.ceph.freshStore() }
    }

    @Test(.enabled(if: S3Server.swift.isPossible, S3Server.swift.remedy), arguments: ObjectStoreContract.promises)
    func swift(_ promise: ObjectStoreContract.Promise) async throws {
        try await promise.check { try await S3Server.swift.freshStore() }
    }

    @Test(.enabled(if: !S3Server.possible.isEmpty, S3Server.missing), arguments: S3Server.possible)
    func looksAndFindsWhatIsThere(_ server: S3Server) async throws {
        let (url, options) = try await server.freshURL()
        let store = try S3ObjectStore(url, options)
        #expect(try await store.look() == .empty)
        try await store.create()
        try await store.remove()
        try await put(".trash/thing", beside: store)
        #expect(try await store.look() == .empty, "hidden names do not count")
        try await store.put("a-letter.txt", [1])
        #expect(try await store.look() == .occupied)
        try await store.put("dd1-other/x", [1])
        #expect(try await store.look() == .occupied, "another name that begins the same")
        try await store.put("dd1/format", [1])
        #expect(try await store.look() == .store)
        #expect(await failure { try await store.remove() }?.kind == .usage)
        var within = url
        within.path += "/dd1"
        #expect(try await S3ObjectStore(within, options).look() == .occupied)
    }

    /// Puts what no store would, under the store's prefix.
    private func put(_ name: String, beside store: S3ObjectStore) async throws {
        let path = "\(store.address.bucketPath)/\(PercentEncoding.text("\(store.address.prefix)\(name)".utf8))"
        let request = HTTPRequest("PUT", path, body: [1], subject: name)
        #expect(try await store.exchange.answer(to: request, limit: 1000).status == 200)
    }

    @Test(.enabled(if: !S3Server.possible.isEmpty, S3Server.missing), arguments: S3Server.possible)
    func whatOtherToolsPutIsNotSeen(_ server: S3Server) async throws {
        let store = try await server.freshStore()
        try await store.put("dd1/head/a", [1])
        for name in [".DS_Store", "dd1/head/.hidden", "dd1/head/A", "dd1/head/a b", "dd1/head/\u{FC}", "dd1/~tmp"] {
            try await put(name, beside: store)
        }
        try await store.put("dd1/head/z", [1, 2])
        #expect(
            try await store.listAll(prefix: "")
                == [StoredObject(key: "dd1/head/a", size: 1), StoredObject(key: "dd1/head/z", size: 2)])
        #expect(try await store.list(prefix: "dd1/", after: "dd1/head/a", limit: 1).map(\.key) == ["dd1/head/z"])
    }

    @Test(.enabled(if: !S3Server.possible.isEmpty, S3Server.missing), arguments: S3Server.possible)
    func prefixesMayHoldAnything(_ server: S3Server) async throws {
        var (url, options) = try await server.freshURL()
        url.path += "/My thesis + \u{FC}&<b>'#%?=@~*"
        let store = try S3ObjectStore(url, options)
        try await store.put("dd1/head/a", [1, 2, 3])
        #expect(try await store.get("dd1/head/a", range: 1..<3) == [2, 3])
        #expect(try await store.listAll(prefix: "dd1/").map(\.key) == ["dd1/head/a"])
        #expect(try await store.look() == .store)
        try await store.delete("dd1/head/a")
        #expect(try await store.listAll(prefix: "").isEmpty)
    }

    @Test(.enabled(if: !S3Server.possible.isEmpty, S3Server.missing), arguments: S3Server.possible)
    func listsOfManyPages(_ server: S3Server) async throws {
        let store = try await server.freshStore()
        let keys = (0..<1_105).map { "dd1/pack/\(String($0 + 10_000))" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    for index in stride(from: lane, to: keys.count, by: 8) { try await put(keys[index], store) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.listAll(prefix: "dd1/").map(\.key) == keys)
        #expect(try await store.list(prefix: "", after: keys[500], limit: 3).map(\.key) == Array(keys[501...503]))
        #expect(try await store.list(prefix: "", after: nil, limit: 1_050).count == 1_050)
    }

    /// Tries again where the server says so: rclone fails where two requests make the same folder.
    private func put(_ key: ObjectKey, _ store: S3ObjectStore) async throws {
        for _ in 0..<20 {
            guard let error = await failure({ try await store.put(key, [1]) }) else { return }
            guard error.kind == .temporary else { throw error }
        }
        try await store.put(key, [1])
    }

    @Test(.enabled(if: !S3Server.possible.isEmpty, S3Server.missing), arguments: S3Server.possible)
    func objectsInParts(_ server: S3Server) async throws {
        let store = try await server.freshStore(partThreshold: 6 << 20, partSize: 5 << 20)
        let bytes = (0..<(11 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 11) }
        try await store.put("dd1/pack/large", bytes)
        #expect(try await store.get("dd1/pack/large", range: nil) == bytes)
        let middle = UInt64(5 << 20) - 10..<UInt64(5 << 20) + 10
        #expect(try await store.get("dd1/pack/large", range: middle) == Array(bytes[(5 << 20) - 10..<(5 << 20) + 10]))
        #expect(try await store.listAll(prefix: "") == [StoredObject(key: "dd1/pack/large", size: 11 << 20)])
    }

    @Test(.enabled(if: !S3Server.possible.isEmpty, S3Server.missing), arguments: S3Server.possible)
    func aBucketThatIsNotThere(_ server: S3Server) async throws {
        var (url, options) = try await server.freshURL()
        url.host = "no-such-bucket"
        let store = try S3ObjectStore(url, options)
        let calls: [@Sendable () async throws -> Void] = [
            { try await store.put("dd1/a", [1]) }, { _ = try await store.get("dd1/a", range: nil) },
            { _ = try await store.list(prefix: "", after: nil, limit: 10) }, { _ = try await store.look() },
            { try await store.create() },
        ]
        for call in calls {
            let error = await failure(call)
            #expect(error?.kind == .unreachable, "\(String(describing: error))")
            #expect(error?.message.contains("aws s3 mb s3://no-such-bucket") == true)
        }
    }

    @Test(.enabled(if: !S3Server.strict.isEmpty, S3Server.missing), arguments: S3Server.strict)
    func wrongKeysAreRefused(_ server: S3Server) async throws {
        let (url, options) = try await server.freshURL()
        let user = try #require(options.environment["AWS_ACCESS_KEY_ID"])
        let secret = try #require(options.environment["AWS_SECRET_ACCESS_KEY"])
        for keys in [(user, "canary-secret"), ("canaryaccesskey1", secret)] {
            var options = options
            options.credentials = StoreCredentials(user: keys.0, secret: Secret(keys.1))
            let store = try S3ObjectStore(url, options)
            let calls: [@Sendable () async throws -> Void] = [
                { try await store.put("dd1/a", [1]) }, { _ = try await store.get("dd1/a", range: nil) },
                { _ = try await store.look() }, { try await store.delete("dd1/a") },
            ]
            for call in calls {
                let error = try #require(await failure(call))
                #expect(error.kind == .notAuthenticated, "\(error)")
                #expect(!"\(error)".contains("canary-secret") && !"\(error)".contains(secret))
            }
        }
    }

    private func failure(_ body: () async throws -> Void) async -> DriveError? {
        do { try await body() } catch { return error as? DriveError }
        return nil
    }
}
