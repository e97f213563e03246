import DriveCore
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import FileCoordination

/// One client of a process that watches, used by many tasks.
@Suite(.timeLimit(.minutes(20))) struct SocketClientTests {
    /// Calls `body` with a client of a server that answers so.
    private func withClient(
        _ handler: @escaping SocketServer.Handler, _ body: (SocketClient) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "docdrive-client-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = SocketPlace(
            replica: "client", folder: Array(folder.utf8), environment: ["XDG_RUNTIME_DIR": folder])
        let server = try SocketServer(place, handler: handler)
        let run = Task { await server.run() }
        defer { run.cancel() }
        let client = try #require(SocketClient(place))
        try await body(client)
    }

    @Test func aSocketThatIsTakenAwayIsMadeAnew() async throws {
        let folder = NSTemporaryDirectory() + "docdrive-client-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = SocketPlace(
            replica: "client", folder: Array(folder.utf8), environment: ["XDG_RUNTIME_DIR": "\(folder)/run"])
        let (later, becomesLate) = AsyncStream<Void>.makeStream()
        let server = try SocketServer(place) { request, reply in
            _ = await reply(DriveReply(lines: ["here"]))
            if request.verb == .wait {
                for await _ in later {}
                _ = await reply(DriveReply(lines: ["later"]))
            }
        }
        let run = Task { await server.run() }
        let early = try #require(SocketClient(place))
        #expect(early.process == getpid())
        let (replies, told) = AsyncStream<Void>.makeStream()
        let wait = Task {
            try await early.ask(DriveRequest(.wait)) { reply in
                told.yield()
                return reply.lines == ["later"] ? true : nil
            }
        }
        var heard = replies.makeAsyncIterator()
        await heard.next()
        // Nothing to do.
        try server.stayReachable()
        for isAsked in [true, false, false] {
            try FileManager.default.removeItem(atPath: "\(folder)/run")
            if isAsked { try server.stayReachable() }
            // It is told of that itself, too.
            while SocketClient(place) == nil { await Task.yield() }
            let client = try #require(SocketClient(place))
            #expect(try await client.ask(DriveRequest(.status)).lines == ["here"])
        }
        // Who was connected before still is.
        becomesLate.finish()
        #expect(try await wait.value)
        run.cancel()
        await run.value
        #expect(SocketClient(place) == nil)
        try server.stayReachable()
        #expect(SocketClient(place) == nil)
    }

    /// That somebody is to try again later alone tells nobody what to do.
    @Test func whoIsLeftWithoutAnAnswerIsToldWhoEnded() async throws {
        let folder = NSTemporaryDirectory() + "docdrive-client-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = SocketPlace(
            replica: "client", folder: Array(folder.utf8), environment: ["XDG_RUNTIME_DIR": folder])
        let (calls, called) = AsyncStream<Void>.makeStream()
        let (silence, end) = AsyncStream<Void>.makeStream()
        let server = try SocketServer(place) { _, _ in
            called.yield()
            for await _ in silence {}
        }
        // Both go on until the test ends the server under the call.
        let run = Task { await server.run() }
        let client = try #require(SocketClient(place))
        let call = Task { try await client.ask(DriveRequest(.sync)) }
        for await _ in calls { break }
        run.cancel()
        let unanswered = await #expect(throws: DriveError.self) { try await call.value }
        await run.value
        let unasked = await #expect(throws: DriveError.self) { try await client.ask(DriveRequest(.sync)) }
        let who = "process \(getpid()), which watched the drive,"
        #expect(unanswered?.message.hasPrefix("\(who) ended before it answered; what was asked may be done") == true)
        #expect(unasked?.message == "\(who) has ended, and nothing was asked of it; try again")
        for error in [unanswered, unasked] {
            #expect(error?.kind == .temporary && error?.path == folder, "\(error as Any)")
            #expect(error.map(SocketClient.isLoss) == true, "\(error as Any)")
        }
        #expect(!SocketClient.isLoss(DriveError(.temporary, "the store asks us to wait; try again")))
        end.finish()
    }

    /// The last of the folders where ours may be is one that anybody can make.
    @Test func whatAnotherUserHasPutInOurPlaceIsNoSocket() async throws {
        // The path of a socket has 107 bytes at most.
        let folder = "/tmp/docdrive-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = SocketPlace(
            replica: "client", folder: Array(folder.utf8), environment: ["XDG_RUNTIME_DIR": folder])
        let server = try SocketServer(place) { _, reply in _ = await reply(DriveReply(lines: ["here"])) }
        let run = Task { await server.run() }
        defer { run.cancel() }
        let own = "\(folder)/docdrive"
        #expect(SocketClient(place) != nil)
        // Somebody may have given a socket of ours another name there.
        chmod(own, 0o777)
        #expect(SocketClient(place) == nil)
        chmod(own, 0o700)
        #expect(SocketClient(place) != nil)
        guard geteuid() == 0 else { return }
        chown(own, 4711, 4711)
        #expect(SocketClient(place) == nil)
        // Root asks the watch of whose the drive is.
        chown(folder, 4711, 4711)
        let theirs = SocketPlace(
            replica: "client", folder: Array(folder.utf8), environment: ["XDG_RUNTIME_DIR": folder])
        #expect(SocketClient(theirs) != nil)
    }

    /// Of a process that can put one there all the same: the name stands in /proc/net/unix.
    @Test(arguments: [0, 4711]) func whoListensIsTheSameUser(_ user: Int) async throws {
        guard geteuid() == 0 else { try Test.cancel("only root may become somebody else") }
        // The path of a socket has 107 bytes at most.
        let folder = "/tmp/docdrive-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: "\(folder)/docdrive", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = SocketPlace(
            replica: "client", folder: Array(folder.utf8), environment: ["XDG_RUNTIME_DIR": folder])
        chmod("\(folder)/docdrive", 0o700)
        let script = """
            import os, socket, sys
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(sys.argv[1])
            user = int(sys.argv[2])
            os.setresuid(user, user, user)
            listener.listen()
            os.write(1, b"x")
            os.read(0, 1)
            """
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let (here, there) = (ends[0], ends[1])
        let other = try ChildProcess(
            "/usr/bin/env", ["python3", "-c", script, "\(folder)/docdrive/\(place.name)", "\(user)"], input: there,
            output: .descriptor(there), errors: .file("/dev/null"))
        close(there)
        let count = await OwnThread.run {
            var byte: UInt8 = 0
            return read(here, &byte, 1)
        }
        #expect(count == 1)
        #expect((SocketClient(place) != nil) == (user == 0))
        close(here)
        #expect(await other.end() == 0)
    }

    private struct Foreign: Codable {
        var v: Int
        var verb: String
        var act: [String: [String: String]]?
    }

    /// After an update: what only the other version knows cannot be read here, and trying again does not help.
    @Test(arguments: [
        Foreign(v: 2, verb: "status"), Foreign(v: 2, verb: "frobnicate"), Foreign(v: 1, verb: "frobnicate"),
        Foreign(v: 1, verb: "act", act: ["frobnicate": [:]]),
    ])
    private func anotherVersionIsToldSo(_ request: Foreign) async throws {
        let folder = NSTemporaryDirectory() + "docdrive-client-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = SocketPlace(
            replica: "client", folder: Array(folder.utf8), environment: ["XDG_RUNTIME_DIR": folder])
        let server = try SocketServer(place) { _, reply in _ = await reply(DriveReply(lines: ["here"])) }
        let run = Task { await server.run() }
        defer { run.cancel() }
        let connection = SocketConnection(try #require(place.connect()))
        try await connection.send(request)
        let reply = try await connection.receive(DriveReply.self)
        #expect(reply?.error?.message == "the process that watches is of another version; restart it")
        #expect(try await connection.receive(DriveReply.self) == nil)
    }

    @Test func callsOfManyTasksGetTheirOwnAnswers() async throws {
        let count = 20
        let (all, arrived) = AsyncStream<Void>.makeStream()
        let arrivals = Mutex(0)
        let handler: SocketServer.Handler = { request, reply in
            // Nobody is answered before all have come, and then all at once.
            if arrivals.withLock({
                $0 += 1; return $0 == count
            }) {
                arrived.finish()
            }
            for await _ in all {}
            _ = await reply(DriveReply(lines: (request.paths ?? []).map { String(decoding: $0, as: UTF8.self) }))
        }
        try await withClient(handler) { client in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<count {
                    group.addTask {
                        let path = Array("\(number)".utf8)
                        return try await client.ask(DriveRequest(.wait, paths: [path])).lines == ["\(number)"]
                    }
                }
                for try await isOwn in group { #expect(isOwn) }
            }
        }
    }

    @Test func aCancelledCallEndsAtOnceAndLeavesNoAnswerForTheNext() async throws {
        let (calls, called) = AsyncStream<Void>.makeStream()
        let (freed, free) = AsyncStream<Void>.makeStream()
        let handler: SocketServer.Handler = { request, reply in
            if request.verb == .sync {
                called.yield()
                for await _ in freed {}
            }
            _ = await reply(DriveReply(lines: [request.verb.rawValue]))
        }
        try await withClient(handler) { client in
            let call = Task { try await client.ask(DriveRequest(.sync)) }
            for await _ in calls { break }
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            free.finish()
            let next = try await client.ask(DriveRequest(.read))
            #expect(next.lines == ["read"])
        }
    }

    /// Somebody who follows, once the first answer has come.
    private func following(_ client: SocketClient) async -> Task<Void, any Error> {
        let (calls, called) = AsyncStream<Void>.makeStream()
        let call = Task {
            _ = try await client.ask(DriveRequest(.subscribe)) { _ -> Bool? in
                called.yield()
                return nil
            }
        }
        for await _ in calls { break }
        return call
    }

    /// A drive may have nothing to tell for days.
    @Test func whoFollowedIsForgottenThoughNothingHappens() async throws {
        let (silence, end) = AsyncStream<Void>.makeStream()
        let (endings, ended) = AsyncStream<Void>.makeStream()
        let handler: SocketServer.Handler = { _, reply in
            _ = await reply(DriveReply())
            for await _ in silence {}
            ended.yield()
        }
        try await withClient(handler) { client in
            let call = await following(client)
            call.cancel()
            for await _ in endings { break }
        }
        end.finish()
    }

    @Test func whoFollowsStopsAtOnceWhenCancelled() async throws {
        let (silence, end) = AsyncStream<Void>.makeStream()
        let handler: SocketServer.Handler = { _, reply in
            _ = await reply(DriveReply())
            for await _ in silence {}
        }
        try await withClient(handler) { client in
            let call = await following(client)
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        end.finish()
    }
}
