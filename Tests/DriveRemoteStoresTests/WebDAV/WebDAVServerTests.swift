import DriveCore
import DriveTransport
import Foundation
import Synchronization
import Testing

@testable import DriveRemoteStores

/// Every promise over every kind of server. What can be started without installing is started.
struct WebDAVServerTests {
    @Test(.enabled(if: TestServer.isPossible("apache"), "install apache2"), arguments: WebDAVPromise.all)
    func apache(_ promise: WebDAVPromise) async throws { try await promise.check(TestServer.shared("apache")) }

    @Test(.enabled(if: TestServer.isPossible("apache"), "install apache2"), arguments: WebDAVPromise.all)
    func apacheOverTLS(_ promise: WebDAVPromise) async throws {
        try await promise.check(TestServer.shared("apache", tls: true))
    }

    @Test(
        .enabled(if: TestServer.isPossible("nginx"), "install nginx-light libnginx-mod-http-dav-ext"),
        arguments: WebDAVPromise.all)
    func nginx(_ promise: WebDAVPromise) async throws { try await promise.check(TestServer.shared("nginx")) }

    @Test(
        .enabled(if: TestServer.isPossible("nginx"), "install nginx-light libnginx-mod-http-dav-ext"),
        arguments: WebDAVPromise.all)
    func nginxOverTLS(_ promise: WebDAVPromise) async throws {
        try await promise.check(TestServer.shared("nginx", tls: true))
    }

    @Test(
        .enabled(if: TestServer.isPossible("lighttpd"), "install lighttpd lighttpd-mod-webdav"),
        arguments: WebDAVPromise.all)
    func lighttpd(_ promise: WebDAVPromise) async throws { try await promise.check(TestServer.shared("lighttpd")) }

    @Test(
        .enabled(if: TestServer.isPossible("rclone"), "install rclone, or run Scripts/servers/rclone start DIR --yes"),
        arguments: WebDAVPromise.all)
    func rclone(_ promise: WebDAVPromise) async throws {
        try await promise.check(TestServer.shared("rclone", "webdav"))
    }

    @Test(
        .enabled(if: TestServer.isPossible("wsgidav"), "run Scripts/servers/wsgidav start DIR --yes"),
        arguments: WebDAVPromise.all)
    func wsgiDAV(_ promise: WebDAVPromise) async throws { try await promise.check(TestServer.shared("wsgidav")) }

    @Test(
        .enabled(if: TestServer.isPossible("sabre"), "install php-cli php-sabre-dav php-xml php-mbstring"),
        arguments: WebDAVPromise.all)
    func sabreDAV(_ promise: WebDAVPromise) async throws { try await promise.check(TestServer.shared("sabre")) }
}

/// Certificates, as Apache and nginx show them.
struct WebDAVTrustTests {
    @Test(.enabled(if: TestServer.isPossible("apache"), "install apache2"))
    func apache() async throws { try await check(TestServer.shared("apache", tls: true)) }

    @Test(.enabled(if: TestServer.isPossible("nginx"), "install nginx-light libnginx-mod-http-dav-ext"))
    func nginx() async throws { try await check(TestServer.shared("nginx", tls: true)) }

    private func check(_ server: TestServer) async throws {
        var unknown = try server.url
        unknown.options = [:]
        let refused = await failure(unknown, server)
        #expect(refused?.kind == .unreachable && refused?.message.contains("`ca=FILE`") == true, "\(refused as Any)")

        // The certificate is for the address.
        var named = try server.url
        named.host = "localhost"
        let wrong = await failure(named, server)
        #expect(wrong?.kind == .unreachable && wrong?.message.contains("another name") == true, "\(wrong as Any)")

        var plain = try server.url
        (plain.scheme, plain.options) = (.webdav, [:])
        let clear = await failure(plain, server)
        #expect(clear != nil)

        var missing = try server.url
        missing.options = ["ca": "/nowhere/ca.pem"]
        #expect(throws: DriveError.self) { try WebDAVObjectStore(missing, server.login()) }
        #expect(try await WebDAVObjectStore(server.url, server.login()).look() != .absent)
    }

    private func failure(_ url: StoreURL, _ server: TestServer) async -> DriveError? {
        do {
            _ = try await WebDAVObjectStore(url, server.login()).look()
            return nil
        } catch { return error }
    }
}

/// What only one of the servers can show.
struct WebDAVLimitTests {
    @Test(.enabled(if: TestServer.isPossible("nginx"), "install nginx-light libnginx-mod-http-dav-ext"))
    func aServerThatTakesNoLargeObjectsSaysSo() async throws {
        let server = try await TestServer.shared("nginx")
        var url = try server.url
        url.path = "limited"
        let store = try WebDAVObjectStore(url, server.login())
        try await store.put("small", [UInt8](repeating: 1, count: 60_000))
        // The server closes while it is still written to, and its answer may be lost then.
        for size in [100_000, 5_000_000, 16_000_000] {
            let error = await #expect(throws: DriveError.self) {
                try await store.put("large", [UInt8](repeating: 1, count: size))
            }
            #expect(error?.kind == .tooLarge, "\(error as Any)")
            #expect(error?.message.contains("client_max_body_size") == true, "\(error as Any)")
        }
        #expect(try await store.get("large", range: nil) == nil)
    }

    @Test(.enabled(if: TestServer.isPossible("apache"), "install apache2"))
    func largeObjectsGoAndComeInPieces() async throws {
        let server = try await TestServer.shared("apache")
        let passed = Mutex<[TransferDirection: (bytes: Int, most: Int)]>([:])
        var options = server.login()
        options.pace = TransferPace { direction, bytes in
            passed.withLock {
                let last = $0[direction, default: (0, 0)]
                $0[direction] = (last.bytes + bytes, max(last.most, bytes))
            }
        }
        let store = try WebDAVObjectStore(server.freshURL(), options)
        try await store.create()
        let bytes = (0..<(32 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 13) }
        try await store.put("pack/large", bytes)
        #expect(try await store.get("pack/large", range: nil) == bytes)
        #expect(
            try await store.get("pack/large", range: 20_000_000..<20_000_009) == Array(bytes[20_000_000..<20_000_009]))
        let sums = passed.withLock { $0 }
        #expect((sums[.up]?.bytes ?? 0) >= bytes.count && (sums[.down]?.bytes ?? 0) >= bytes.count)
        #expect((sums[.up]?.most ?? .max) <= 64 << 10 && (sums[.down]?.most ?? .max) <= 1 << 20)
    }

    @Test(.enabled(if: TestServer.isPossible("nginx"), "install nginx-light libnginx-mod-http-dav-ext"))
    func cancellingEndsAnUploadAndLeavesNothing() async throws {
        let server = try await TestServer.shared("nginx")
        let started = AsyncStream<Void>.makeStream()
        let isOver = Mutex(false)
        var options = server.login()
        options.pace = TransferPace { direction, bytes in
            guard direction == .up, bytes > 60_000 else { return }
            started.continuation.yield()
            // No further until it is stopped; who hands out the bytes may not be told of that.
            while !Task.isCancelled, !isOver.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
        }
        defer { isOver.withLock { $0 = true } }
        let store = try WebDAVObjectStore(server.freshURL(), options)
        try await store.create()
        let task = Task { try await store.put("pack/large", [UInt8](repeating: 1, count: 8 << 20)) }
        for await _ in started.stream { break }
        task.cancel()
        await #expect(throws: DriveError.self) { try await task.value }
        #expect(try await store.get("pack/large", range: nil) == nil)
        #expect(try await store.listAll(prefix: "").isEmpty)
    }

    @Test(.enabled(if: TestServer.isPossible("lighttpd"), "install lighttpd lighttpd-mod-webdav"))
    func aServerThatWentIsNotReached() async throws {
        let server = try await TestServer.alone("lighttpd")
        let store = try await server.freshCollection()
        try await store.put("a/b", [1])
        server.stop()
        for act in [{ _ = try await store.get("a/b", range: nil) }, { try await store.put("a/c", [1]) }]
            as [@Sendable () async throws -> Void]
        {
            let error = await #expect(throws: DriveError.self) { try await act() }
            #expect(error?.kind == .unreachable, "\(error as Any)")
            #expect(error?.message.contains("connection refused") == true, "\(error as Any)")
        }
    }
}
