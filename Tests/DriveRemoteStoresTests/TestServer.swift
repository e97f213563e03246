import DriveCore
import Foundation
import Synchronization
import TestSupport

/// A real server that `Scripts/servers/NAME` starts on this machine. It ends with the last reference, and in any case with
/// the test program, however that ends.
final class TestServer: Sendable {
    /// What the script says of the server: `URL`, and how to get in.
    let environment: [String: String]
    /// The server's folder: its files, settings and logs.
    let folder: String
    private let script: String
    private let guardian: Guardian

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Takes seconds. `shared` is for tests that only need a place of their own on some server.
    static func start(_ name: String, tls: Bool = false, _ options: String...) throws -> TestServer {
        try TestServer(script: script(name), options: options + (tls ? ["--tls"] : []))
    }

    /// One for all tests of the program.
    static func shared(_ name: String, tls: Bool = false, _ options: String...) async throws -> TestServer {
        let options = options + (tls ? ["--tls"] : [])
        let key = [name] + options
        let task = servers.withLock { servers in
            if let task = servers[key] { return task }
            let task = Task { try await started(script(name), options) }
            servers[key] = task
            return task
        }
        return try await task.value
    }

    /// Whether it can be started, or be installed without asking (`CI=true`). A test that needs it is skipped otherwise.
    static func isPossible(_ name: String) -> Bool {
        if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
        return possible.withLock { possible in
            if let answer = possible[name] { return answer }
            let answer = (try? run(script(name), ["check"], log: "/dev/null")) == 0
            possible[name] = answer
            return answer
        }
    }

    var url: StoreURL {
        get throws { try StoreURL(environment["URL"] ?? "") }
    }

    /// The server's URL with one more component, which nothing has used yet.
    func freshURL() throws -> StoreURL {
        var url = try url
        url.path += (url.path.isEmpty ? "" : "/") + "t-\(UUID().uuidString.lowercased())"
        return url
    }

    func stop() { guardian.end() }

    deinit { stop() }

    private init(script: String, options: [String]) throws {
        self.script = script
        folder = NSTemporaryDirectory() + "docdrive-server-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guardian = try Guardian(script: script, folder: folder)
        let log = folder + ".log"
        defer { try? FileManager.default.removeItem(atPath: log) }
        let code = try Self.run(script, ["start", folder] + options, log: log)
        guard code == 0 else {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            guardian.end()
            throw Failure(description: "\(script) ended with \(code): \(text)")
        }
        environment = try Self.environment(of: folder)
    }
}

extension TestServer {
    private static let servers = Mutex<[[String]: Task<TestServer, any Error>]>([:])
    private static let possible = Mutex<[String: Bool]>([:])

    /// The package's folder.
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private static func script(_ name: String) -> String { "\(package)/Scripts/servers/\(name)" }

    /// On a thread of its own, since starting blocks.
    private static func started(_ script: String, _ options: [String]) async throws -> TestServer {
        try await OwnThread.run { try TestServer(script: script, options: options) }
    }

    private static func run(_ script: String, _ arguments: [String], log: String) throws -> Int32 {
        try ChildProcess(script, arguments, output: .file(log)).wait()
    }

    private static func environment(of folder: String) throws -> [String: String] {
        let lines = try String(contentsOfFile: "\(folder)/env", encoding: .utf8).split(separator: "\n")
        return lines.reduce(into: [:]) { result, line in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
        }
    }
}

/// A process that stops a server when this one lets go of a socket, as it does when it dies.
private final class Guardian: Sendable {
    private let leash: Mutex<Int32?>
    private let process: ChildProcess

    init(script: String, folder: String) throws {
        var ends: [Int32] = [0, 0]
        // Unlike with a pipe, no other process that is started meanwhile holds on to it.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw TestServer.Failure(description: "no socket for the guardian")
        }
        defer { close(ends[0]) }
        // A session of its own, so that Ctrl-C does not end it first.
        process = try ChildProcess(
            "/usr/bin/setsid",
            [
                "--wait", "/bin/sh", "-c", #"cat >/dev/null; "$0" stop "$1" >/dev/null 2>&1; rm -rf "$1""#, script,
                folder,
            ],
            input: ends[0])
        leash = Mutex(ends[1])
    }

    /// Returns when the server has stopped.
    func end() {
        let end = leash.withLock { leash in
            defer { leash = nil }
            return leash
        }
        guard let end else { return }
        close(end)
        _ = process.wait()
    }
}
