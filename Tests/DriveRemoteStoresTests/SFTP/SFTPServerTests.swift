import DriveCore
import Foundation
import TestSupport
import Testing

@testable import DriveRemoteStores

/// An OpenSSH of their own for tests that hurt it: killed in the middle, other keys.
@Suite(.enabled(if: TestServer.isPossible("sshd"), "wants sshd: install openssh-server and openssh-client"))
struct SFTPServerTests {
    private static let bytes = sampleBytes(20_000_000)

    /// A store whose transfers stop in the middle.
    private func gated(_ server: TestServer, _ url: StoreURL, _ more: [String: String] = [:]) throws -> (
        SFTPObjectStore, TransferGate
    ) {
        let gate = TransferGate(after: 8_000_000)
        var options = server.options(more)
        options.pace = gate.pace
        return (try SFTPObjectStore(url, options), gate)
    }

    @Test func aServerThatIsKilledInAPutLeavesNoObject() async throws {
        let server = try await TestServer.alone("sshd")
        let (store, gate) = try gated(server, try server.freshURL())
        try await store.create()
        let task = Task { try await store.put("a/object", Self.bytes) }
        try await eventually("the put is in the middle") { gate.isHolding }
        try await server.kill()
        gate.open()
        let error = try await #require(throws: DriveError.self) { try await task.value }
        #expect(error.kind == .unreachable)
        let refused = try await #require(throws: DriveError.self) {
            try await store.list(prefix: "", after: nil, limit: 9)
        }
        #expect(refused.kind == .unreachable)
        #expect(refused.message.contains("Connection refused"), "\(refused)")
        try await server.restart()
        #expect(try await store.listAll(prefix: "") == [])
        try await store.put("a/object", Self.bytes)
        #expect(try await store.get("a/object", range: nil) == Self.bytes)
    }

    @Test func aServerThatIsKilledInAGetIsUnreachable() async throws {
        let server = try await TestServer.alone("sshd")
        let url = try server.freshURL()
        let writer = try SFTPObjectStore(url, server.options())
        try await writer.create()
        try await writer.put("a/object", Self.bytes)
        let (store, gate) = try gated(server, url)
        let task = Task { try await store.get("a/object", range: nil) }
        try await eventually("the get is in the middle") { gate.isHolding }
        try await server.kill()
        gate.open()
        let error = try await #require(throws: DriveError.self) { try await task.value }
        #expect(error.kind == .unreachable)
        try await server.restart()
        #expect(try await store.get("a/object", range: nil) == Self.bytes)
    }

    @Test func aPutThatIsStoppedLeavesNothingAndTheSessionGoesOn() async throws {
        let server = try await TestServer.shared("sshd")
        let processes = SSHProcesses()
        let (store, gate) = try gated(server, try server.freshURL(), processes.mark)
        try await store.create()
        let task = Task { try await store.put("a/object", Self.bytes) }
        try await eventually("the put is in the middle") { gate.isHolding }
        let session = processes.running()
        task.cancel()
        let error = await #expect(throws: DriveError.self) { try await task.value }
        #expect(error == .stopped)
        gate.open()
        try await store.put("a/other", [1])
        #expect(try await store.listAll(prefix: "").map(\.key) == ["a/other"])
        #expect(processes.running() == session)
        try await eventually("the draft is gone") {
            try FileManager.default.contentsOfDirectory(atPath: "\(TestServer.folder(store))/a") == ["other"]
        }
    }

    @Test func aGetThatIsStoppedLeavesTheSession() async throws {
        let server = try await TestServer.shared("sshd")
        let processes = SSHProcesses()
        let (store, gate) = try gated(server, try server.freshURL(), processes.mark)
        try await store.create()
        try await store.put("a/object", Array(Self.bytes.prefix(7_000_000)))
        let task = Task { try await store.get("a/object", range: nil) }
        try await eventually("the get is in the middle") { gate.isHolding }
        let session = processes.running()
        task.cancel()
        let error = await #expect(throws: DriveError.self) { try await task.value }
        #expect(error == .stopped)
        gate.open()
        #expect(try await store.get("a/object", range: 0..<3) == Array(Self.bytes.prefix(3)))
        #expect(processes.running() == session)
    }

    @Test func aKeyThatTheServerDoesNotKnowIsNotAuthenticated() async throws {
        let server = try await TestServer.shared("sshd")
        let other = try await TestServer.alone("sshd")
        let error = try await failure(server) { $0.replacing("\(server.folder)/user", with: "\(other.folder)/user") }
        #expect(error.kind == .notAuthenticated)
        #expect(error.message.contains("127.0.0.1 accepts none of your SSH keys"))
    }

    @Test func aHostKeyThatIsNotKnownIsNotTheStores() async throws {
        let server = try await TestServer.shared("sshd")
        let error = try await failure(server) { $0.replacing("\(server.folder)/known_hosts", with: "/dev/null") }
        #expect(error.kind == .unreachable)
        #expect(error.message.contains("is not known yet; run `ssh -F "))
        #expect(error.message.contains("compare the fingerprint"))
    }

    @Test func aHostKeyThatChangedIsNotTheStores() async throws {
        let server = try await TestServer.shared("sshd")
        let other = try await TestServer.alone("sshd")
        let known = "\(other.folder)/known_hosts"
        let key = try String(contentsOfFile: known, encoding: .utf8).split(separator: " ").dropFirst().joined(
            separator: " ")
        try "[127.0.0.1]:\(try server.url.port ?? 0) \(key)".write(toFile: known, atomically: true, encoding: .utf8)
        let error = try await failure(server) { $0.replacing("\(server.folder)/known_hosts", with: known) }
        #expect(error.kind == .unreachable)
        #expect(error.message.contains("has another host key than the one that is known"))
    }

    @Test func aPortWhereNobodyListensIsUnreachable() async throws {
        let server = try await TestServer.alone("sshd")
        let store = try SFTPObjectStore(try server.freshURL(), server.options())
        try await server.kill()
        let error = try await #require(throws: DriveError.self) { try await store.look() }
        #expect(error.kind == .unreachable)
        #expect(error.message.contains("Connection refused"), "\(error)")
    }

    /// What a look says with another configuration of ssh.
    private func failure(_ server: TestServer, _ change: (String) -> String) async throws -> DriveError {
        let config = try String(contentsOfFile: "\(server.folder)/ssh_config", encoding: .utf8)
        let path = NSTemporaryDirectory() + "docdrive-ssh-config-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try change(config).write(toFile: path, atomically: true, encoding: .utf8)
        let store = try SFTPObjectStore(try server.freshURL(), server.options(["DOCDRIVE_SSH_CONFIG": path]))
        return try await #require(throws: DriveError.self) { try await store.look() }
    }
}

extension TestServer {
    /// One that no other test uses; started on a thread that may block.
    static func alone(_ name: String) async throws -> TestServer {
        try await OwnThread.run { try TestServer.start(name) }
    }

    /// The listener and all sessions, at once; returns when nobody listens.
    fileprivate func kill() async throws {
        let listener = try String(contentsOfFile: "\(folder)/sshd.pid", encoding: .utf8)
        let process = try #require(Int32(listener.trimmingCharacters(in: .whitespacesAndNewlines)))
        for child in Self.children(process) { Glibc.kill(child, SIGKILL) }
        Glibc.kill(process, SIGKILL)
        try await eventually("it is dead") {
            // A zombie runs nothing.
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")) == nil
        }
    }

    private static func children(_ process: Int32) -> [Int32] {
        let list = (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)) ?? ""
        let children = list.split(separator: " ").compactMap { Int32($0) }
        return children + children.flatMap(Self.children)
    }

    /// With the same keys and port.
    fileprivate func restart() async throws {
        let script = try ChildProcess("\(Self.package)/Scripts/servers/sshd", ["start", folder])
        try #require(await script.end() == 0)
    }
}
