import DriveCore
import Foundation
import Synchronization
import Testing

@testable import DriveRemoteStores

/// Answers that no server of `WebDAVServerTests` gives, or not when a test would like it.
struct WebDAVAnswerTests {
    private typealias Reply = LoopbackServer.Reply

    private static let canary = "canary-77c1-password"
    private static let word = Data("ann:\(canary)".utf8).base64EncodedString()

    private func store(
        _ server: LoopbackServer, path: String = "files/store", environment: [String: String]? = nil,
        isKnown: Bool = false
    ) throws -> WebDAVObjectStore {
        let url = StoreURL(.webdav, user: "ann", host: "127.0.0.1", port: UInt16(server.port), path: path)
        var options = RemoteStoreOptions(environment: environment ?? ["DOCDRIVE_STORE_PASSWORD": Self.canary])
        options.progressSeconds = 20
        options.isKnown = isKnown
        return try WebDAVObjectStore(url, options)
    }

    /// Every act of a store fails, by errors that keep what is secret.
    private func failures(_ reply: Reply, isKnown: Bool = false) async throws -> [DriveError] {
        let server = try await LoopbackServer { _, _ in reply }
        let store = try store(server, isKnown: isKnown)
        var errors: [DriveError] = []
        let acts: [@Sendable () async throws -> Void] = [
            { _ = try await store.look() }, { try await store.create() },
            { _ = try await store.get("a/b", range: nil) },
            { _ = try await store.get("a/b", range: 3..<9) }, { try await store.put("a/b", [1]) },
            { try await store.put("a/b", [UInt8](repeating: 1, count: 100_000)) }, { try await store.delete("a/b") },
            { _ = try await store.list(prefix: "a/", after: nil, limit: 5) },
        ]
        for (number, act) in acts.enumerated() {
            let error = await #expect(throws: DriveError.self, "act \(number)") { try await act() }
            errors += error.map { [$0] } ?? []
        }
        for error in errors {
            #expect(!"\(error)".contains(Self.canary) && !"\(error)".contains(Self.word), "\(error)")
            #expect(error.message.count < 500)
            #expect(error.path?.hasPrefix("webdav://ann@127.0.0.1:") == true)
        }
        return errors
    }

    private static let echo = "what you sent: Basic \(word) (\(canary))\u{7}\r\n"

    @Test func throttlingSaysWhenToComeBack() async throws {
        for (status, wait) in [("429 Too Many Requests", 7.0), ("503 Service Unavailable", 30), ("423 Locked", 2)] {
            let errors = try await failures(Reply(status, ["Retry-After: \(Int(wait))"], Self.echo))
            #expect(errors.count == 8)
            for error in errors { #expect(error.kind == .temporary && error.retryAfter == wait, "\(error)") }
        }
    }

    @Test func aFullServerHasNoSpace() async throws {
        for error in try await failures(Reply("507 Insufficient Storage", [], Self.echo)) {
            #expect(error.kind == .noSpace, "\(error)")
        }
    }

    /// What the store has room for, and does not let in: removing things would not help.
    @Test func anObjectThatIsTooLargeNamesTheLimit() async throws {
        let errors = try await failures(Reply("413 Payload Too Large", [], Self.echo))
        for error in errors {
            #expect(error.kind == .tooLarge && error.message.contains("client_max_body_size"), "\(error)")
        }
    }

    @Test func whoeverMayNotIsTold() async throws {
        let server = try await LoopbackServer { request, _ in
            request.method == "PROPFIND" && request.target == "/files/store/"
                ? Self.collection("/files/store") : Reply("403 Forbidden", [], Self.echo)
        }
        let store = try store(server)
        for act in [{ try await store.put("a/b", [1]) }, { try await store.delete("a/b") }]
            as [@Sendable () async throws -> Void]
        {
            let error = await #expect(throws: DriveError.self) { try await act() }
            #expect(error?.kind == .permissionDenied, "\(error as Any)")
            #expect(error?.message.contains("403: what you sent: ... (...)") == true, "\(error as Any)")
        }
    }

    /// As in a hotel.
    @Test func aPageInsteadOfAnAnswerIsNoStore() async throws {
        let page = Reply(
            "200 OK", ["Content-Type: text/html; charset=utf-8"], "<html><title>Welcome</title>Sign in</html>")
        for error in try await failures(page) {
            #expect(error.kind == .unreachable, "\(error)")
            #expect(error.message.contains("something else than a store answers at http://127.0.0.1"), "\(error)")
        }
    }

    @Test func whatIsNotWebDAVIsSaidSo() async throws {
        let server = try await LoopbackServer { _, _ in Reply("405 Method Not Allowed", ["Allow: GET"], "no") }
        let error = await #expect(throws: DriveError.self) { try await store(server).look() }
        #expect(error?.kind == .usage)
        #expect(error?.message.contains("does not speak WebDAV") == true)
    }

    /// Where one may look and not write the address is not what is wrong.
    @Test(arguments: ["404 Not Found", "405 Method Not Allowed"])
    func whatTakesNothingIsSaidSo(_ status: String) async throws {
        let server = try await LoopbackServer { request, _ in
            request.method == "PROPFIND" ? Self.collection("/files/store") : Reply(status)
        }
        let store = try store(server)
        #expect(try await store.look() == .empty)
        for size in [1, 100_000] {
            let bytes = [UInt8](repeating: 1, count: size)
            let error = await #expect(throws: DriveError.self) { try await store.put("a", bytes) }
            #expect(error?.kind == .permissionDenied, "\(error as Any)")
            #expect(error?.message.contains("it takes nothing at this address") == true, "\(error as Any)")
        }
    }

    /// A server that is not up yet says so, or a network that wants a login.
    @Test(arguments: ["405 Method Not Allowed", "501 Not Implemented", "505 HTTP Version Not Supported"])
    func whatIsNotWebDAVInThePlaceOfAKnownStoreMayGoAgain(_ status: String) async throws {
        for error in try await failures(Reply(status), isKnown: true) {
            #expect(error.kind == .unreachable, "\(error)")
            #expect(error.message.contains("it answered \(status.prefix(3)); check the address"), "\(error)")
        }
    }

    @Test(arguments: [
        "", "no xml", "<multistatus xmlns=\"DAV:\">", "<html/>", "<multistatus xmlns=\"DAV:\"/>",
        "<d:multistatus xmlns:d=\"DAV:\"><d:response><d:href>/other</d:href></d:response></d:multistatus>",
    ])
    func anAnswerThatCannotBeReadIsNone(_ body: String) async throws {
        let server = try await LoopbackServer { _, _ in
            Reply("207 Multi-Status", ["Content-Type: application/xml"], body)
        }
        let store = try store(server)
        for act in [{ _ = try await store.look() }, { _ = try await store.list(prefix: "", after: nil, limit: 1) }]
            as [@Sendable () async throws -> Void]
        {
            let error = await #expect(throws: DriveError.self) { try await act() }
            #expect(error?.kind == .unreachable, "\(error as Any)")
        }
    }

    @Test func credentialsStayWithTheirOrigin() async throws {
        let other = try await LoopbackServer { _, _ in Reply("200 OK") }
        for status in ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
            for place in [
                "http://127.0.0.1:\(other.port)/elsewhere/store/", "https://127.0.0.1:\(other.port)/elsewhere/",
            ] {
                for error in try await failures(Reply(status, ["Location: \(place)"])) {
                    #expect(error.kind == .unreachable)
                }
            }
        }
        // The port may have been one that another test still knocks at.
        #expect(other.requests.filter { $0.target.contains("elsewhere") }.isEmpty)
    }

    /// As a network that wants a login does, which is the likelier where a store has been before.
    @Test(arguments: [false, true]) func whoIsSentOnIsAskedForALogin(isKnown: Bool) async throws {
        for error in try await failures(Reply("302 Found", ["Location: http://portal.example/login"]), isKnown: isKnown)
        {
            #expect(error.kind == .unreachable)
            let remedy = error.message.drop { $0 != ";" }
            #expect(remedy.hasPrefix("; does this network want a login first?") == isKnown, "\(error)")
            #expect(remedy.contains("want a login first?") && remedy.contains("use that address"), "\(error)")
        }
    }

    /// As nginx behind a proxy, which sends on to the port that it knows of itself (`absolute_redirect`).
    @Test(arguments: ["http://127.0.0.1:1", "https://inner.example"], ["403 Forbidden", "404 Not Found"])
    func aCollectionIsOneByWhateverNameItsServerGoes(_ name: String, _ status: String) async throws {
        let server = try await LoopbackServer { request, _ in
            switch (request.method, request.target) {
            case ("PROPFIND", "/files/store/"): Self.collection("/files/store", collections: ["a"])
            case ("PROPFIND", _): Self.collection("/files/store/a", ["b"])
            case (_, "/files/store/a"): Reply("301 Moved Permanently", ["Location: \(name)/files/store/a/"])
            case (_, "/files/store/a/"): Reply(status)
            default: Reply("307 Temporary Redirect", ["Location: \(name)\(request.target)"])
            }
        }
        let store = try store(server)
        #expect(try await store.get("a", range: nil) == nil)
        #expect(server.requests.prefix(2).map(\.target) == ["/files/store/a", "/files/store/a/"])
        let error = await #expect(throws: DriveError.self) { try await store.get("a/b", range: nil) }
        #expect(error?.kind == .unreachable && error?.message.contains("sends us on to \(name)") == true)
    }

    /// It takes off what its own paths begin with.
    @Test func objectsAreRemovedAlsoBehindAProxyThatChangesPaths() async throws {
        let server = try await LoopbackServer { request, _ in
            request.method == "PROPFIND" ? Self.object("/store/a/b") : Reply("204 No Content")
        }
        try await store(server).delete("a/b")
        #expect(server.requests.map(\.method) == ["PROPFIND", "DELETE"])
    }

    /// As nginx without `DELETE` among its `dav_methods`: it is in reach, and takes everything else.
    @Test(
        arguments: ["405 Method Not Allowed", "501 Not Implemented", "207 Multi-Status", "406 Not Acceptable"],
        [false, true])
    func aServerThatRemovesNothingIsInReach(_ status: String, _ isKnown: Bool) async throws {
        let server = try await LoopbackServer { request, _ in
            request.method == "PROPFIND" ? Self.object("/files/store/a/b") : Reply(status)
        }
        let store = try store(server, isKnown: isKnown)
        let error = await #expect(throws: DriveError.self) { try await store.delete("a/b") }
        #expect(error?.kind == .permissionDenied, "\(error as Any)")
        #expect(error?.message.contains("allow DELETE") == true, "\(error as Any)")
    }

    /// Some answer so where they have done it.
    @Test func whatIsGoneAfterAnAnswerOfManyWasRemoved() async throws {
        let server = try await LoopbackServer { request, number in
            switch (request.method, number) {
            case ("PROPFIND", 0): Self.object("/files/store/a/b")
            case ("PROPFIND", _): Reply("404 Not Found")
            default: Reply("207 Multi-Status")
            }
        }
        try await store(server).delete("a/b")
        #expect(server.requests.map(\.method) == ["PROPFIND", "DELETE", "PROPFIND"])
    }

    @Test func aServerThatWantsAnotherKindOfLoginIsNamed() async throws {
        func error(_ fields: [String]) async throws -> DriveError? {
            let server = try await LoopbackServer { _, _ in Reply("401 Unauthorized", fields) }
            return await #expect(throws: DriveError.self) { try await store(server).look() }
        }
        let digest = "WWW-Authenticate: Digest realm=\"x\", nonce=\"y\""
        let other = try await error([digest])
        #expect(other?.kind == .notAuthenticated)
        #expect(other?.message.contains("it offers Digest); turn on Basic") == true, "\(other as Any)")
        for fields in [[], [digest, "WWW-Authenticate: basic realm=\"x\""]] {
            let plain = try await error(fields)
            #expect(plain?.message.contains("refused name or password") == true, "\(plain as Any)")
        }
    }

    @Test func aLoginGoesWithEveryRequest() async throws {
        let server = try await LoopbackServer { request, _ in
            request.method == "PROPFIND" ? Self.collection("/files/store") : Reply("201 Created")
        }
        let store = try store(server)
        _ = try await store.look()
        try await store.put("a/b", [1])
        #expect(server.requests.map { $0["Authorization"] } == ["Basic \(Self.word)", "Basic \(Self.word)"])
        #expect(server.requests.first?["Content-Type"] == "application/xml; charset=utf-8")
        #expect(server.requests.first?["Depth"] == "1")
    }

    @Test func parentsAreMadeOnceAndThenKnown() async throws {
        // A server that has only the store's collection, and remembers what is made.
        let made = Places(["/files/store/"])
        let server = try await LoopbackServer { request, _ in made.answer(request, again: "405 Method Not Allowed") }
        let store = try store(server)
        try await store.put("dd1/x/format", [1])
        #expect(
            server.requests.map { "\($0.method) \($0.target.dropFirst(13))" } == [
                "PUT dd1/x/format", "MKCOL dd1/x/", "MKCOL dd1/", "MKCOL dd1/x/", "PUT dd1/x/format",
            ])
        try await store.put("dd1/x/other", [UInt8](repeating: 1, count: 100_000))
        #expect(server.requests.count == 6)
    }

    /// rclone locks a collection while it makes it, and refuses whoever wants to make it too.
    @Test func aCollectionIsMadeByOneRequestHoweverManyNeedIt() async throws {
        let made = Places(["/files/store/"])
        let server = try await LoopbackServer { request, _ in made.answer(request, again: "423 Locked") }
        let store = try store(server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask { try await store.put("blob/\(number % 3)/\(number)", [1]) }
            }
            try await group.waitForAll()
        }
        let makes = server.requests.filter { $0.method == "MKCOL" }.map { String($0.target.dropFirst(13)) }
        #expect(Set(makes) == ["blob/", "blob/0/", "blob/1/", "blob/2/"])
        #expect(makes.filter { $0 == "blob/" }.count == 1)

        // Known, but gone.
        made.clear(["/files/store/"])
        try await store.put("blob/1/again", [1])
        #expect(server.requests.suffix(5).map(\.method) == ["PUT", "MKCOL", "MKCOL", "MKCOL", "PUT"])
    }

    @Test func aLargeCollectionIsReadOnceForAllItsPages() async throws {
        let names = (0..<2_500).map { String(10_000 + $0) }
        let server = try await LoopbackServer { request, _ in
            Self.collection(String(request.target.dropLast()), names.reversed())
        }
        let store = try store(server)
        #expect(try await store.listAll(prefix: "").map(\.key) == names)
        #expect(server.requests.count == 1)
        #expect(try await store.listAll(prefix: "").count == 2_500)
        #expect(server.requests.count == 2)
    }

    @Test func collectionsThatCannotHoldTheKeysAreNotRead() async throws {
        let server = try await LoopbackServer { request, _ in
            let path = String(request.target.dropLast())
            return path == "/files/store"
                ? Self.collection(path, collections: ["a", "b", "c"]) : Self.collection(path, ["x", "y"])
        }
        let store = try store(server)
        #expect(try await store.list(prefix: "", after: "b/x", limit: 1).map(\.key) == ["b/y"])
        #expect(server.requests.map(\.target) == ["/files/store/", "/files/store/b/"])
        #expect(try await store.list(prefix: "b/", after: "c", limit: 1).isEmpty)
        #expect(try await store.list(prefix: ".hidden/", after: nil, limit: 1).isEmpty)
        #expect(try await store.list(prefix: "../", after: nil, limit: 1).isEmpty)
        #expect(server.requests.count == 3)
    }

    @Test func aPathIsEncodedAndItsAnswerIsNot() async throws {
        let server = try await LoopbackServer { _, _ in
            Self.collection("http://elsewhere/caf%c3%a9 %26 co", collections: ["dd1"])
        }
        #expect(try await store(server, path: "café & co").look() == .store)
        #expect(server.requests.first?.target == "/caf%C3%A9%20%26%20co/")
    }

    /// PHP's own server ends every connection, and an answer with it.
    @Test func anAnswerMayEndWithItsConnection() async throws {
        let body = Self.collection("/files/store", ["a"])
        let end = String(decoding: body.bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n")[1]
        let server = try await LoopbackServer { _, _ in
            Reply(raw: "HTTP/1.1 207 Multi-Status\r\nConnection: close\r\n\r\n\(end)", closes: true)
        }
        let store = try store(server)
        for _ in 0..<200 { #expect(try await store.list(prefix: "", after: nil, limit: 5).count == 1) }
    }

    @Test func aRangeThatIsIgnoredIsCut() async throws {
        let server = try await LoopbackServer { _, _ in Reply("200 OK", [], Array(0..<100)) }
        let store = try store(server)
        #expect(try await store.get("a", range: 10..<13) == [10, 11, 12])
        #expect(try await store.get("a", range: 98..<200) == [98, 99])
        #expect(try await store.get("a", range: 40..<40) == [])
        #expect(try await store.get("a", range: UInt64.max..<UInt64.max) == [])
    }

    @Test func aURLThatCannotBeOneIsRefused() throws {
        for (url, word) in [
            ("webdav://h/x?endpoint=y", "endpoint"), ("s3://bucket/x", "WebDAV"), ("webdav://a%3Ab@h/x", "colon"),
        ] {
            let error = #expect(throws: DriveError.self) {
                try WebDAVObjectStore(
                    StoreURL(url), RemoteStoreOptions(environment: ["DOCDRIVE_STORE_PASSWORD": Self.canary]))
            }
            #expect(error?.kind == .usage)
            #expect(error?.message.contains(word) == true, "\(error as Any)")
        }
    }

    @Test func thePasswordMayComeFromNetrc() async throws {
        let home = NSTemporaryDirectory() + "docdrive-home-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        try "machine 127.0.0.1 login ann password \(Self.canary)\n".write(
            toFile: "\(home)/.netrc", atomically: true, encoding: .utf8)
        let server = try await LoopbackServer { _, _ in Self.collection("/files/store") }
        _ = try await store(server, environment: ["HOME": home]).look()
        _ = try await store(server, environment: ["HOME": "/nowhere"]).look()
        #expect(server.requests.map { $0["Authorization"] } == ["Basic \(Self.word)", nil])
    }

    /// As by somebody who corrects it while the drive is watched.
    @Test func netrcIsReadAnew() async throws {
        let home = NSTemporaryDirectory() + "docdrive-home-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        func write(_ password: String) throws {
            try "machine 127.0.0.1 login ann password \(password)\n".write(
                toFile: "\(home)/.netrc", atomically: true, encoding: .utf8)
        }
        let server = try await LoopbackServer { request, _ in
            request["Authorization"] == "Basic \(Self.word)" ? Self.collection("/files/store") : Reply("401 Who")
        }
        try write("old")
        let store = try store(server, environment: ["HOME": home])
        await #expect(throws: DriveError.self) { try await store.look() }
        #expect(!store.renewLogin())
        try write(Self.canary)
        #expect(store.renewLogin())
        #expect(try await store.look() == .empty)
        #expect(!store.renewLogin())
    }

    /// An answer of what is no collection.
    private static func object(_ path: String) -> Reply {
        let text = """
            <D:multistatus xmlns:D="DAV:"><D:response><D:href>\(path)</D:href><D:propstat><D:prop><D:resourcetype/>\
            </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
            """
        return Reply("207 Multi-Status", ["Content-Type: application/xml"], text)
    }

    /// An answer of a collection with objects of one byte, and collections, in it.
    private static func collection(_ path: String, _ objects: [String] = [], collections: [String] = []) -> Reply {
        var text = #"<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">"#
        let kind = "<D:resourcetype><D:collection/></D:resourcetype>"
        for (name, properties) in [("", kind)] + collections.map({ ("\($0)/", kind) })
            + objects.map({ ($0, "<D:resourcetype/><D:getcontentlength>1</D:getcontentlength>") })
        {
            text += "<D:response><D:href>\(path)/\(name)</D:href><D:propstat><D:prop>\(properties)</D:prop>"
            text += "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
        }
        return Reply("207 Multi-Status", ["Content-Type: application/xml"], text + "</D:multistatus>")
    }
}

/// Collections that a server in a test has.
private final class Places: Sendable {
    private let paths: Mutex<Set<String>>

    init(_ paths: Set<String>) { self.paths = Mutex(paths) }

    func has(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }

    func clear(_ rest: Set<String>) { paths.withLock { $0 = rest } }

    /// As a server that has these and makes more; `again` is for a collection that is there.
    func answer(_ request: LoopbackServer.Request, again: String) -> LoopbackServer.Reply {
        let path = request.target.hasSuffix("/") ? request.target.dropLast() : request.target[...]
        let folder = String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
        guard has(folder) else { return LoopbackServer.Reply("409 Conflict") }
        let isAgain = request.method == "MKCOL" && !add(request.target)
        return LoopbackServer.Reply(isAgain ? again : "201 Created")
    }

    /// False where it is there already.
    func add(_ path: String) -> Bool { paths.withLock { $0.insert(path).inserted } }
}
