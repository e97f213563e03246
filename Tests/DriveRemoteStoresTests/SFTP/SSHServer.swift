import DriveCore
import Foundation
import TestSupport

@testable import DriveRemoteStores

extension TestServer {
    /// What a store needs to reach this server.
    func options(_ more: [String: String] = [:]) -> RemoteStoreOptions {
        var variables = ProcessInfo.processInfo.environment
        for (name, value) in environment { variables[name] = value }
        if let config = try? configuration() { variables["DOCDRIVE_SSH_CONFIG"] = config }
        for (name, value) in more { variables[name] = value }
        return RemoteStoreOptions(environment: variables)
    }

    /// Of a server that names its keys only, a configuration of ssh with them.
    private func configuration() throws -> String? {
        guard let identity = environment["IDENTITY"], let known = environment["KNOWN_HOSTS"] else { return nil }
        let path = "\(folder)/ssh_config"
        let lines = [
            "IdentityFile \"\(identity)\"", "IdentitiesOnly yes", "IdentityAgent none",
            "UserKnownHostsFile \"\(known)\"",
            "GlobalKnownHostsFile /dev/null", "StrictHostKeyChecking yes",
        ]
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// A store in a folder of its own.
    func freshStore(_ more: [String: String] = [:]) async throws -> SFTPObjectStore {
        let store = try SFTPObjectStore(try freshURL(), options(more))
        try await store.create()
        return store
    }

    /// Where the folder of a store is on this machine.
    static func folder(_ store: SFTPObjectStore) -> String { String(decoding: store.root.path, as: UTF8.self) }
}

/// Waits for a condition, for as long as a slow machine may need.
func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
    guard try await soon(condition) else { throw TestServer.Failure(description: "never: \(what)") }
}

/// Bytes that look like no others.
func sampleBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        for index in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            buffer[index] = UInt8(truncatingIfNeeded: state >> 33)
        }
        filled = count
    }
}
