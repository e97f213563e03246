import DriveCore
import DriveTransport
import Foundation
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
