import DriveCore
import Foundation
import Synchronization
import Testing

@testable import DriveRemoteStores

/// Against a server that says what it should not.
struct HTTPExchangeTests {
    private func exchange(
        _ port: Int, progress: Double = 30, environment: [String: String] = [:],
        pace: TransferPace = .unlimited, sign: @escaping @Sendable (HTTPRequest) -> HTTPRequest = { $0 }
    ) throws -> HTTPExchange {
        var options = RemoteStoreOptions(environment: environment)
        (options.progressSeconds, options.connectSeconds, options.pace) = (progress, 3600, pace)
        return try HTTPExchange(HTTPOrigin(.http, host: "127.0.0.1", port: UInt16(port)), options) {
            request throws(DriveError) in sign(request)
        }
    }

    private func get(_ path: String = "/object", range: Range<UInt64>? = nil) -> HTTPRequest {
        HTTPRequest("GET", path, range: range, subject: "object")
    }

    private func failure(_ body: () async throws -> Void) async -> DriveError? {
        do { try await body() } catch { return error as? DriveError }
        return nil
    }

    @Test func requestAndAnswerAreWhatWasSent() async throws {
        let server = try await LoopbackServer { request, _ in
            LoopbackServer.Reply("201 Created", ["X-Word: yes"], request.body.reversed())
        }
        let exchange = try exchange(server.port)
        let request = HTTPRequest(
            "PROPFIND", "/a%20b/%7Ec", query: "x=%2F&y", fields: [HTTPField("Depth", "1")], body: [1, 2, 3],
            subject: "a")
        let answer = try await exchange.answer(to: request, limit: 10)
        #expect(answer.status == 201 && answer["x-word"] == "yes" && answer.body == [3, 2, 1])
        let seen = try #require(server.requests.first)
        #expect(seen.method == "PROPFIND" && seen.target == "/a%20b/%7Ec?x=%2F&y")
        #expect(seen["Depth"] == "1" && seen["Host"] == "127.0.0.1:\(server.port)" && seen["Content-Length"] == "3")
        #expect(seen["User-Agent"] == "docdrive/1" && seen["Accept-Encoding"] == "identity")
    }

    /// As by a proxy: its bytes are not those of the object, which is not damaged.
    @Test(arguments: ["gzip", "BR"]) func whatComesCompressedIsOfSomethingElse(_ coding: String) async throws {
        let server = try await LoopbackServer { _, _ in
            LoopbackServer.Reply("200 OK", ["Content-Encoding: \(coding)"], "packed")
        }
        let exchange = try exchange(server.port)
        let error = await failure { _ = try await exchange.answer(to: get(range: 0..<3), limit: 100) }
        #expect(error?.kind == .unreachable, "\(String(describing: error))")
        #expect(error?.message.contains("compresses") == true, "\(String(describing: error))")
        let put = HTTPRequest("PUT", "/object", body: [1], subject: "object")
        #expect(try await exchange.answer(to: put, limit: 100).status == 200)
    }

    @Test func aBodyLongerThanTheLimitIsAnError() async throws {
        let server = try await LoopbackServer { request, _ in
            request.target == "/known"
                ? LoopbackServer.Reply("200 OK", [], [UInt8](repeating: 1, count: 1001))
                : LoopbackServer.Reply(
                    raw:
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n\(String(repeating: "a", count: 1001))\r\n0\r\n\r\n"
                )
        }
        let exchange = try exchange(server.port)
        for path in ["/known", "/chunked"] {
            let error = await failure { _ = try await exchange.answer(to: get(path), limit: 1000) }
            #expect(error?.kind == .unreachable, "\(path): \(String(describing: error))")
            #expect(error?.message.contains("sends more than 1000 bytes") == true, "\(String(describing: error))")
            #expect(try await exchange.answer(to: get(path), limit: 1001).body.count == 1001)
        }
    }

    @Test func aBodyWithoutEndIsCutOff() async throws {
        let server = try await LoopbackServer { _, _ in
            var reply = LoopbackServer.Reply(raw: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            reply.repeats = Array("400\r\n\(String(repeating: "a", count: 1024))\r\n".utf8)
            return reply
        }
        let exchange = try exchange(server.port)
        let error = await failure { _ = try await exchange.answer(to: get(), limit: 1 << 20) }
        #expect(error?.kind == .unreachable)
        #expect(try await exchange.answer(to: get(range: 5..<10), limit: 5).body == Array("aaaaa".utf8))
    }

    @Test func anEndlessErrorIsReadToItsLimit() async throws {
        let server = try await LoopbackServer { _, _ in
            var reply = LoopbackServer.Reply(raw: "HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n")
            reply.repeats = Array("400\r\n\(String(repeating: "a", count: 1024))\r\n".utf8)
            return reply
        }
        let answer = try await exchange(server.port).answer(to: get(), limit: 1 << 20)
        #expect(answer.status == 500 && answer.body.count == 64 << 10 && answer.excerpt.count == 200)
    }

    @Test func aServerWithoutRangesIsCutToTheRange() async throws {
        let server = try await LoopbackServer { _, _ in LoopbackServer.Reply("200 OK", [], "0123456789") }
        let exchange = try exchange(server.port)
        #expect(try await exchange.answer(to: get(range: 2..<5), limit: 3).body == Array("234".utf8))
        #expect(try await exchange.answer(to: get(range: 8..<20), limit: 12).body == Array("89".utf8))
        #expect(try await exchange.answer(to: get(range: 20..<30), limit: 10).body.isEmpty)
        #expect(server.requests[0]["Range"] == "bytes=2-4")
    }

    @Test(arguments: ["bytes 3-5/10", "bytes 2-6/10", "bytes 2-3/10", "pages 2-4/10", "bytes 4-2/10", "bytes */10", ""])
    func anotherPartThanAskedForIsRefused(_ part: String) async throws {
        let server = try await LoopbackServer { _, _ in
            LoopbackServer.Reply("206 Partial Content", part.isEmpty ? [] : ["Content-Range: \(part)"], "234")
        }
        let exchange = try exchange(server.port)
        let error = await failure { _ = try await exchange.answer(to: get(range: 2..<5), limit: 3) }
        #expect(error?.kind == .unreachable, "\(String(describing: error))")
    }

    @Test(arguments: [301, 302, 307, 308])
    func redirectionsWithinTheOriginAreFollowed(_ status: Int) async throws {
        let server = try await LoopbackServer { request, _ in
            switch request.target {
            case "/object": LoopbackServer.Reply("\(status) Moved", ["Location: /object/"])
            case "/object/":
                LoopbackServer.Reply("\(status) Moved", ["Location: http://\(request["Host"] ?? "")/there?x=1#part"])
            default: LoopbackServer.Reply("200 OK", [], request.body)
            }
        }
        let request = HTTPRequest("PUT", "/object", body: [7], subject: "object")
        let exchange = try exchange(server.port) { request in
            var request = request
            request.fields.append(HTTPField("Authorization", "for \(request.target)"))
            return request
        }
        #expect(try await exchange.answer(to: request, limit: 10).body == [7])
        #expect(server.requests.map(\.target) == ["/object", "/object/", "/there?x=1"])
        #expect(server.requests.map { $0["Authorization"] } == ["for /object", "for /object/", "for /there?x=1"])
    }

    @Test func endlessRedirectionsEnd() async throws {
        let server = try await LoopbackServer { _, _ in LoopbackServer.Reply("302 Found", ["Location: /object"]) }
        let exchange = try exchange(server.port)
        #expect(await failure { _ = try await exchange.answer(to: get(), limit: 10) }?.kind == .unreachable)
        #expect(server.requests.count == 4)
    }

    @Test func credentialsDoNotGoToAnotherOrigin() async throws {
        let other = try await LoopbackServer { _, _ in LoopbackServer.Reply("200 OK", [], "x") }
        let server = try await LoopbackServer { _, number in
            let places = [
                "http://127.0.0.1:\(other.port)/x", "http://localhost:\(other.port)/", "//127.0.0.1:\(other.port)/",
                "https://127.0.0.1/", "ftp://x/",
            ]
            return LoopbackServer.Reply("307 Moved", ["Location: \(places[number % places.count])"])
        }
        let exchange = try exchange(server.port) { request in
            var request = request
            request.fields.append(HTTPField("Authorization", "canary-secret"))
            return request
        }
        for _ in 0..<5 {
            let error = await failure { _ = try await exchange.answer(to: get(), limit: 10) }
            #expect(error?.kind == .unreachable)
            #expect(error.map { !"\($0)".contains("canary") } == true)
        }
        #expect(other.requests.isEmpty)
        let first = await failure { _ = try await exchange.answer(to: get(), limit: 10) }
        #expect(first?.message.contains("http://127.0.0.1:\(other.port)") == true)
    }

    @Test func aConnectionClosedBeforeTheRequestIsTriedOnceMore() async throws {
        let server = try await LoopbackServer { _, number in
            number == 0 ? .cut : LoopbackServer.Reply("200 OK", [], "fine")
        }
        #expect(try await exchange(server.port).answer(to: get(), limit: 10).body == Array("fine".utf8))
        #expect(server.requests.count == 2)
    }

    /// Apache reads on for a while after it closed; more than it would read is not sent twice, but for what may be.
    @Test(arguments: [("POST", 2 << 20, true), ("POST", 6 << 20, false), ("PUT", 6 << 20, true)])
    func anUploadIntoAClosedConnectionIsTriedOnceMore(_ method: String, _ size: Int, _ works: Bool) async throws {
        let server = try await LoopbackServer { _, number in number == 0 ? .cut : LoopbackServer.Reply("201 Created") }
        let exchange = try exchange(server.port)
        let request = HTTPRequest(method, "/object", body: [UInt8](repeating: 7, count: size)[...], subject: "object")
        let error = await failure { _ = try await exchange.answer(to: request, limit: 10) }
        #expect(works ? error == nil : error?.kind == .unreachable, "\(error as Any)")
        #expect(server.requests.count == (works ? 2 : 1))
    }

    @Test func aServerThatAlwaysCutsIsUnreachable() async throws {
        let server = try await LoopbackServer { _, _ in .cut }
        let exchange = try exchange(server.port)
        let error = await failure { _ = try await exchange.answer(to: get(), limit: 10) }
        #expect(error?.kind == .unreachable && error?.path == "object")
        #expect(server.requests.count == 2)
    }

    @Test func aCutBodyIsUnreachable() async throws {
        let server = try await LoopbackServer { _, _ in
            LoopbackServer.Reply(raw: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", closes: true)
        }
        let exchange = try exchange(server.port)
        #expect(await failure { _ = try await exchange.answer(to: get(), limit: 100) }?.kind == .unreachable)
        #expect(server.requests.count == 1, "an answer that began is not asked for again")
    }

    @Test func whatIsNotHTTPIsSomethingElse() async throws {
        let server = try await LoopbackServer { _, _ in
            LoopbackServer.Reply(raw: "SSH-2.0-OpenSSH\r\n\r\n", closes: true)
        }
        let exchange = try exchange(server.port)
        let error = await failure { _ = try await exchange.answer(to: get(), limit: 100) }
        #expect(error?.kind == .unreachable && error?.message.contains("something else") == true)
    }

    @Test func aServerThatSaysNothingIsLeft() async throws {
        let server = try await LoopbackServer { _, _ in .silence }
        let exchange = try exchange(server.port, progress: 0.3)
        let error = await failure { _ = try await exchange.answer(to: get(), limit: 100) }
        #expect(error?.kind == .unreachable && error?.message.contains("did not go on") == true)
    }

    @Test func aDripIsNoProgress() async throws {
        let server = try await LoopbackServer { _, _ in
            LoopbackServer.Reply(raw: "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\na few bytes")
        }
        let exchange = try exchange(server.port, progress: 0.3)
        let error = await failure { _ = try await exchange.answer(to: get(), limit: 5000) }
        #expect(error?.message.contains("did not go on") == true, "\(String(describing: error))")
    }

    /// Each piece of an answer waits for its turn, if only for no time.
    @Test(.timeLimit(.minutes(2))) func whatIsHeldForNoTimeIsNoProgress() async throws {
        let watch = ProgressWatch(seconds: 0.3)
        // Cancelled with the end of this scope.
        async let _: Void = {
            while !Task.isCancelled {
                await watch.holding {}
                await Task.yield()
            }
        }()
        await #expect(throws: ProgressWatch.Stalled.self) { try await watch.run() }
    }

    /// On a slow line it takes longer than a span, and nobody hears of it.
    @Test func whatTheSystemHasTakenMayBeOnItsWay() async throws {
        let begin = ContinuousClock.now
        let watch = ProgressWatch(seconds: 0.2)
        watch.handedOver(1 << 20)
        await #expect(throws: ProgressWatch.Stalled.self) { try await watch.run() }
        let passed = ContinuousClock.now - begin
        #expect(passed > .milliseconds(600))
    }

    @Test func waitingForThePaceIsNoStall() async throws {
        let server = try await LoopbackServer { request, _ in LoopbackServer.Reply("200 OK", [], request.body) }
        let passed = Mutex<[TransferDirection: Int]>([:])
        // Longer than a span, in which nothing could move.
        let pace = TransferPace { direction, bytes in
            let isFirst = passed.withLock { passed in
                defer { passed[direction, default: 0] += bytes }
                return passed[direction] == nil
            }
            if isFirst { try? await Task.sleep(for: .milliseconds(6_000)) }
        }
        let exchange = try exchange(server.port, progress: 5, pace: pace)
        let bytes = [UInt8](repeating: 5, count: 100_000)
        let request = HTTPRequest("PUT", "/object", body: bytes[...], subject: "object")
        #expect(try await exchange.answer(to: request, limit: 100_000).body == bytes)
        #expect(passed.withLock { $0 } == [.up: 100_000, .down: 100_000])
    }

    @Test func cancellingEndsATransfer() async throws {
        let server = try await LoopbackServer { _, _ in .silence }
        let exchange = try exchange(server.port, progress: 600)
        let request = get()
        let task = Task { try await exchange.answer(to: request, limit: 10) }
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: DriveError(.temporary, "the transfer was stopped", path: "object")) {
            _ = try await task.value
        }
    }

    @Test func nobodyListening() async throws {
        let port = try await LoopbackServer { _, _ in .cut }.port
        let exchange = try exchange(port)
        while true {
            let error = await failure { _ = try await exchange.answer(to: get(), limit: 10) }
            // The port is closed when the server is gone, which takes a moment.
            guard error?.message.contains("refused") == true else { continue }
            #expect(error?.kind == .unreachable && error?.message.contains("127.0.0.1:\(port)") == true)
            return
        }
    }

    @Test func unknownHost() async throws {
        let options = RemoteStoreOptions(environment: [:])
        let exchange = try HTTPExchange(HTTPOrigin(.http, host: "no-such-host.invalid"), options)
        let error = await failure { _ = try await exchange.answer(to: get(), limit: 10) }
        #expect(error?.kind == .unreachable && error?.message.contains("no-such-host.invalid") == true)
    }

    @Test func excerptsHoldNoSecretsAndNoControls() async throws {
        let server = try await LoopbackServer { request, _ in
            let echo = request.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            return LoopbackServer.Reply(
                "400 Bad", [], "<h1>bad\u{1B}[31m\u{202E}\u{0}</h1> signature canary-sig \(echo)")
        }
        let exchange = try exchange(server.port) { request in
            var request = request
            request.fields.append(HTTPField("Authorization", "Basic canary-basic"))
            request.secrets = ["canary-sig"]
            return request
        }
        let answer = try await exchange.answer(to: get(), limit: 10)
        #expect(!answer.excerpt.contains("canary") && answer.excerpt.hasPrefix("bad [31m signature ... "))
        #expect(answer.excerpt.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }

    @Test func proxiesAreUsed() async throws {
        // AsyncHTTPClient asks for a tunnel, also without TLS.
        let proxy = try await LoopbackServer { _, _ in
            LoopbackServer.Reply(raw: "HTTP/1.1 407 No\r\n\r\n", closes: true)
        }
        let environment = ["HTTP_PROXY": "http://me:canary@127.0.0.1:\(proxy.port)"]
        let exchange = try HTTPExchange(
            HTTPOrigin(.http, host: "store.example"), RemoteStoreOptions(environment: environment))
        let error = await failure { _ = try await exchange.answer(to: get(), limit: 10) }
        #expect(error?.kind == .notAuthenticated)
        #expect(error.map { !"\($0)".contains("canary") } == true)
        let seen = try #require(proxy.requests.first)
        #expect(seen.method == "CONNECT" && seen.target == "store.example:80")
        #expect(error?.message.contains("in HTTP_PROXY") == true, "\(error as Any)")
        #expect(seen["Proxy-Authorization"] == "Basic \(Data("me:canary".utf8).base64EncodedString())")
    }

    /// Nobody thinks of a variable that was set long ago.
    @Test(arguments: ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
    func aProxyThatIsNotThereIsNamed(variable: String) async throws {
        let exchange = try HTTPExchange(
            HTTPOrigin(.http, host: "store.example"),
            RemoteStoreOptions(environment: [variable: "http://localhost:1"]))
        let error = await failure { _ = try await exchange.answer(to: get(), limit: 10) }
        #expect(error?.kind == .unreachable)
        #expect(error?.message.contains("the proxy in \(variable)") == true, "\(error as Any)")
    }

    @Test func anAddressWithoutAServerSaysWhatToLookAt() async throws {
        let exchange = try HTTPExchange(
            HTTPOrigin(.http, host: "127.0.0.1", port: 1), RemoteStoreOptions(environment: [:]))
        let error = await failure { _ = try await exchange.answer(to: get(), limit: 10) }
        #expect(error?.kind == .unreachable)
        #expect(error?.message.contains("connection refused; is the server running") == true, "\(error as Any)")
    }

    /// squid lets CONNECT through to port 443 only, unless it is told otherwise.
    @Test func aProxyThatGivesNoTunnelIsNamed() async throws {
        let proxy = try await LoopbackServer { _, _ in
            LoopbackServer.Reply(raw: "HTTP/1.1 403 No\r\n\r\n", closes: true)
        }
        let exchange = try HTTPExchange(
            HTTPOrigin(.http, host: "store.example", port: 8080),
            RemoteStoreOptions(environment: ["HTTP_PROXY": "http://127.0.0.1:\(proxy.port)"]))
        let error = await failure { _ = try await exchange.answer(to: get(), limit: 10) }
        #expect(error?.kind == .unreachable)
        #expect(error?.message.contains("gives no tunnel to store.example port 8080") == true, "\(error as Any)")
        #expect(error?.message.contains("HTTP_PROXY") == true)
    }
}
