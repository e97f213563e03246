import DriveCore
import Foundation

@testable import FileCoordination

/// An arbiter that listens on a real socket.
final class ArbiterHouse: Sendable {
    let root = NSTemporaryDirectory() + "docdrive-house-\(UUID().uuidString)"
    let claims: FileClaims
    let place: SocketPlace

    init(claims: FileClaims = FileClaims()) throws {
        self.claims = claims
        try FileManager.default.createDirectory(atPath: "\(root)/drive", withIntermediateDirectories: true)
        place = SocketPlace(
            replica: "test", folder: Array("\(root)/drive".utf8), environment: ["XDG_RUNTIME_DIR": "\(root)"])
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func write(_ text: String, to path: String) throws {
        let place = URL(fileURLWithPath: "\(root)/drive/\(path)")
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: place, atomically: false, encoding: .utf8)
    }

    struct Unreachable: Error {}

    /// A connection of its own.
    func client(heir: FileClaims = FileClaims()) async throws -> ClaimClient {
        guard let client = await ClaimConnection.open(place, heir: .local(heir), heir, ended: {}) else {
            throw Unreachable()
        }
        return client
    }

    /// As another process would have it.
    func coordination() -> DriveCoordination {
        DriveCoordination(root: Array("\(root)/drive".utf8), claims: FileClaims(), place: place)
    }

    /// Listens until the body is done.
    func run(_ body: @Sendable () async throws -> Void) async throws {
        let server = try SocketServer(place, claims: claims) { _, _ in }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }
}
