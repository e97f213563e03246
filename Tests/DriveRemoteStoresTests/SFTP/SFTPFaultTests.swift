import DriveCore
import Foundation
import Testing

@testable import DriveRemoteStores

/// Whatever answers, a call ends with an error that says what happened, and no process stays.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/env"), "wants python3: install python3"))
struct SFTPFaultTests {
    private let fake: FakeSSH

    init() throws { fake = try FakeSSH() }

    private func failure(_ store: SFTPObjectStore) async throws -> DriveError {
        try await #require(throws: DriveError.self) { try await store.get("a/object", range: nil) }
    }

    @Test(arguments: [
        ("huge", "something else than SFTP answers on nas.example: a packet of 4294967295 bytes"),
        (
            "stranger",
            "something else than SFTP answers on nas.example: an answer to request 3405695742, which nobody made"
        ),
        ("handles", "something that is not SFTP answers: a handle to a look"),
        ("generous", "something that is not SFTP answers: 32769 bytes of a file to a read of 32768 bytes"),
        ("cut", "nas.example closed the connection"),
        (
            "banner",
            "something else than SFTP answers on nas.example: it says \"Welcome to [1mnas , have fun\"; does a login "
                + "script there print something?"
        ),
    ])
    func whatIsNoSFTPIsUnreachable(mode: String, message: String) async throws {
        let processes = SSHProcesses()
        let store = try fake.store(mode, processes.mark)
        let error = try await failure(store)
        #expect(error.kind == .unreachable)
        #expect(error.message == message)
        try await eventually("the process is gone") { processes.running().isEmpty }
    }

    @Test(arguments: [("silent", 0.5, 60.0), ("mute", 30, 1)])
    func whatDoesNotAnswerIsUnreachable(mode: String, connect: Double, progress: Double) async throws {
        let error = try await failure(try fake.store(mode, connect: connect, progress: progress))
        #expect(error.kind == .unreachable)
        #expect(error.message == "nas.example did not answer for 1 seconds")
    }

    @Test func slowButSteadyIsNoSilence() async throws {
        let store = try fake.store("slow", progress: 5)
        #expect(try await store.get("a/object", range: nil)?.count == 320 * 1024)
    }

    @Test(arguments: ["short", "boundless"]) func aServerMayGiveLessThanAsked(mode: String) async throws {
        let store = try fake.store(mode)
        #expect(try await store.get("a/object", range: nil) == [UInt8](repeating: 0x78, count: 320 * 1024))
    }

    @Test(arguments: [("endless", "a folder"), ("nested", "folders")])
    func aListingWithoutAnEndIsUnreachable(mode: String, what: String) async throws {
        let error = try await #require(throws: DriveError.self) {
            try await fake.store(mode).list(prefix: "a/", after: nil, limit: 10)
        }
        #expect(error.kind == .unreachable)
        #expect(error.message == "nas.example lists \(what) without an end; look at it")
    }

    @Test(arguments: ["quota", "full"]) func aFullServerHasNoSpace(mode: String) async throws {
        let error = try await #require(throws: DriveError.self) {
            try await fake.store(mode).put("a/object", [UInt8](repeating: 1, count: 10_000))
        }
        #expect(error.kind == .noSpace)
    }

    /// Version 3 has no code for it either.
    @Test func aReadOnlyFileSystemIsNamed() async throws {
        let error = try await #require(throws: DriveError.self) {
            try await fake.store("readonly").put("a/object", [UInt8](repeating: 1, count: 10))
        }
        #expect(error.kind == .permissionDenied && error.message.contains("read-only"), "\(error)")
    }

    /// Servers that pass on what they get cannot go back (rclone without a cache).
    @Test func anObjectIsWrittenFromItsBeginningToItsEnd() async throws {
        try await fake.store("sequential").put("a/object", [UInt8](repeating: 1, count: 10_000_000))
    }

    @Test func whatIsForbiddenSaysSoWithoutControlCharacters() async throws {
        let error = try await failure(try fake.store("denied"))
        #expect(error.kind == .permissionDenied)
        #expect(error.message == "nas.example does not let you read the object; look at the permissions there")
        #expect(error.path == "sftp://nas.example/srv/drive/a/object")
    }

    @Test(arguments: [
        ("Host key verification failed.", DriveError.Kind.unreachable, "is not known yet; run `ssh"),
        (
            "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\nHost key verification failed.",
            .unreachable,
            "has another host key"
        ),
        (
            """
            @    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r
            Offending ED25519 key in /home/me/.ssh/known_hosts:3\r
              remove with:\r
              ssh-keygen -f '/home/me/.ssh/known_hosts' -R '[nas.example]:2222'\r
            Host key verification failed.
            """,
            .unreachable,
            "remove the old key with `ssh-keygen -f '/home/me/.ssh/known_hosts' -R '[nas.example]:2222'` and run"
        ),
        ("u@nas.example: Permission denied (publickey).", .notAuthenticated, "none of your SSH keys"),
        ("ssh: Could not resolve hostname nas.example: Name or service not known", .unreachable, "cannot be resolved"),
        ("ssh: connect to host nas.example port 22: Connection refused", .unreachable, "port 22: Connection refused"),
        ("subsystem request failed on channel 0", .unreachable, "offers no SFTP"),
        ("command-line: line 0: Bad configuration option: x", .usage, "its configuration"),
        ("", .unreachable, "closed the connection"),
    ])
    func whatSSHSaysIsUnderstood(said: String, kind: DriveError.Kind, part: String) async throws {
        let error = try await failure(try fake.store("says", ["FAKE_SAYS": said]))
        #expect(error.kind == kind)
        #expect(error.message.contains(part), "\(error)")
    }

    /// As while it is being updated.
    @Test func aProgramThatIsMissingForAMomentIsNoEnd() async throws {
        let error = try await failure(try fake.store("mute", ["DOCDRIVE_SSH": "/nowhere/ssh"], isKnown: true))
        #expect(error.kind == .unreachable)
        #expect(error.message.contains("`/nowhere/ssh` cannot be started"))
    }

    @Test func aProgramThatIsMissingIsNamed() async throws {
        let error = try await failure(try fake.store("mute", ["DOCDRIVE_SSH": "/nowhere/ssh"]))
        #expect(error.kind == .usage)
        #expect(error.message.contains("`/nowhere/ssh` cannot be started"))
        #expect(error.message.contains("openssh-client"))
    }

    @Test func anUnusedSessionIsClosedAndTheNextCallStartsAnother() async throws {
        let processes = SSHProcesses()
        let store = try fake.store("whole", processes.mark, idle: 0.2)
        for _ in 0..<2 {
            #expect(try await store.get("a/object", range: 0..<1) == [0x78])
            let started = processes.running()
            try await eventually("it is closed") { started.allSatisfy(SSHProcesses.isGone) }
        }
    }

    @Test func aStoreThatGoesLeavesNoProcess() async throws {
        let processes = SSHProcesses()
        func use() async throws -> [Int32] {
            let store = try fake.store("whole", processes.mark)
            _ = try await store.get("a/object", range: 0..<1)
            return processes.running()
        }
        let started = try await use()
        #expect(started.count == 1)
        try await eventually("it is gone") { started.allSatisfy(SSHProcesses.isGone) }
    }

    @Test func aConnectionThatWasClosedMeanwhileIsMadeAnew() async throws {
        let processes = SSHProcesses()
        let store = try fake.store("whole", processes.mark)
        for _ in 0..<3 {
            #expect(try await store.get("a/object", range: 0..<1) == [0x78])
            for process in processes.running() { kill(process, SIGKILL) }
        }
    }

    @Test func manyCallsShareTheFailureOfTheirSession() async throws {
        let processes = SSHProcesses()
        let store = try fake.store("mute", processes.mark)
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    await #expect(throws: DriveError.self) { try await store.get("a/\(number)", range: nil) }
                }
            }
            try await eventually("it runs") { processes.running().count == 1 }
            for process in processes.running() { kill(process, SIGKILL) }
            try await group.waitForAll()
        }
    }

    @Test func cancellationEndsACallAtOnceAndTheSessionGoesOn() async throws {
        let processes = SSHProcesses()
        let store = try fake.store("slow", processes.mark)
        let task = Task { try await store.get("a/object", range: nil) }
        try await eventually("it runs") { !processes.running().isEmpty }
        task.cancel()
        let error = await #expect(throws: DriveError.self) { try await task.value }
        #expect(error == .stopped)
        #expect(try await store.get("a/object", range: 0..<10)?.count == 10)
    }
}
