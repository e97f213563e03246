import DriveCore
import Foundation
import Synchronization
import Testing

@testable import DriveRemoteStores

/// Large objects, and connections over TLS, with rclone.
@Suite(.serialized, .enabled(if: S3Server.rclone.isPossible, S3Server.rclone.remedy))
struct S3TransferTests {
    /// As one request, and in parts. That little of them is held on the way is for `HTTPFlowTests`.
    @Test(arguments: [128 << 20, 32 << 20])
    func largeObjects(_ partThreshold: Int) async throws {
        let store = try await S3Server.rclone.freshStore(partThreshold: partThreshold)
        var bytes = [UInt8](repeating: 0, count: 100_000_000)
        for index in stride(from: 0, to: bytes.count, by: 977) { bytes[index] = UInt8(truncatingIfNeeded: index) }
        try await store.put("dd1/pack/large", bytes)
        #expect(try await store.get("dd1/pack/large", range: nil) == bytes)
        #expect(try await store.get("dd1/pack/large", range: 99_999_000..<200_000_000) == Array(bytes[99_999_000...]))
        try await store.delete("dd1/pack/large")
    }

    @Test func aTransferIsCancelledInTheMiddle() async throws {
        let (url, template) = try await S3Server.rclone.freshURL()
        let gone = Mutex(0)
        var options = template
        options.pace = TransferPace { direction, bytes in
            guard direction == .up else { return }
            gone.withLock { $0 += bytes }
            // Until it is cancelled, once something is on its way.
            if gone.withLock({ $0 > 1 << 20 }) { try? await Task.sleep(for: .seconds(600)) }
        }
        let store = try S3ObjectStore(url, options)
        let task = Task { try await store.put("dd1/pack/a", [UInt8](repeating: 1, count: 8 << 20)) }
        while gone.withLock({ $0 <= 1 << 20 }) { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        let result = await task.result
        let stopped = DriveError(.temporary, "the transfer was stopped", path: "\(store.place)dd1/pack/a")
        #expect(throws: stopped) { try result.get() }
        #expect(gone.withLock { $0 } < 2 << 20)
    }

    @Test func certificatesAreVerified() async throws {
        let server = try await TestServer.shared("rclone", tls: true)
        var url = try server.freshURL()
        let options = RemoteStoreOptions(environment: server.environment)
        let store = try S3ObjectStore(url, options)
        try await store.put("dd1/a", [1, 2])
        #expect(try await store.get("dd1/a", range: nil) == [1, 2])

        let authorities = try #require(url.options["ca"])
        url.options["ca"] = nil
        let error = await failure { _ = try await S3ObjectStore(url, options).look() }
        #expect(
            error?.kind == .unreachable && error?.message.contains("`ca=FILE`") == true, "\(String(describing: error))")

        var named = options
        named.authorities = authorities
        #expect(try await S3ObjectStore(url, named).look() == .store)
        named = options
        named.environment["AWS_CA_BUNDLE"] = authorities
        #expect(try await S3ObjectStore(url, named).look() == .store)

        for path in ["/no/such/file", "/dev/null"] {
            url.options["ca"] = path
            let error = await failure { _ = try S3ObjectStore(url, options) }
            #expect(error?.kind == .usage && error?.path == path)
        }
    }

    @Test func anotherProtocolAtThePortIsSaid() async throws {
        let secure = try await TestServer.shared("rclone", tls: true)
        let plain = try await TestServer.shared("rclone")
        func swapped(_ server: TestServer, _ from: String, _ to: String) throws -> StoreURL {
            var url = try server.freshURL()
            url.options["endpoint"] = url.options["endpoint"]?.replacing(from, with: to)
            return url
        }
        let first = await failure {
            let options = RemoteStoreOptions(environment: plain.environment)
            _ = try await S3ObjectStore(try swapped(plain, "http:", "https:"), options).look()
        }
        #expect(
            first?.kind == .unreachable && first?.message.contains("does not speak TLS") == true,
            "\(String(describing: first))")
        let second = await failure {
            let options = RemoteStoreOptions(environment: secure.environment)
            _ = try await S3ObjectStore(try swapped(secure, "https:", "http:"), options).look()
        }
        #expect(second?.kind == .unreachable, "\(String(describing: second))")
    }

    private func failure(_ body: () async throws -> Void) async -> DriveError? {
        do { try await body() } catch { return error as? DriveError }
        return nil
    }
}
