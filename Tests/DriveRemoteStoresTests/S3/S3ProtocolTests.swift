import DriveCore
import Foundation
import Synchronization
import Testing

@testable import DriveRemoteStores

/// What servers of S3 say that none of the real ones says on demand.
struct S3ProtocolTests {
    typealias Reply = LoopbackServer.Reply

    private static let secret = "canary-secret-key"
    private static let token = "canary-session-token"

    private func store(
        _ server: LoopbackServer, options text: String = "", partThreshold: Int = 64 << 20, partSize: Int = 16 << 20,
        isKnown: Bool = false
    ) throws -> S3ObjectStore {
        let url = try StoreURL(
            "s3://bucket/place?endpoint=http://127.0.0.1:\(server.port)&region=us-east-1\(text)")
        let keys = StoreCredentials(user: "docdriveaccess01", secret: Secret(Self.secret), token: Secret(Self.token))
        var options = RemoteStoreOptions(credentials: keys, environment: [:])
        options.isKnown = isKnown
        return try S3ObjectStore(url, options, partThreshold: partThreshold, partSize: partSize)
    }

    private func failure(_ body: () async throws -> Void) async -> DriveError? {
        do { try await body() } catch { return error as? DriveError }
        return nil
    }

    private static func error(_ code: String, _ more: String = "") -> String {
        "<?xml version=\"1.0\"?>\n<Error><Code>\(code)</Code><Message>Some \(code) words</Message>\(more)</Error>"
    }

    static let refusals: [(status: String, code: String, more: String, kind: DriveError.Kind, word: String)] = [
        ("404 Not Found", "NoSuchBucket", "", .unreachable, "aws s3 mb s3://bucket"),
        ("403 Forbidden", "AccessDenied", "", .permissionDenied, "AccessDenied, Some AccessDenied words"),
        ("403 Forbidden", "InvalidAccessKeyId", "", .notAuthenticated, "does not know this access key"),
        ("403 Forbidden", "SignatureDoesNotMatch", "", .notAuthenticated, "secret access key is wrong"),
        ("400 Bad Request", "ExpiredToken", "", .notAuthenticated, "get new ones"),
        ("403 Forbidden", "RequestTimeTooSkewed", "", .temporary, "; set it"),
        ("503 Slow Down", "SlowDown", "", .temporary, "asks us to wait"),
        ("500 Internal", "InternalError", "", .temporary, "asks us to wait"),
        ("400 Bad Request", "RequestTimeout", "", .temporary, "asks us to wait"),
        ("403 Forbidden", "QuotaExceeded", "", .noSpace, "full"),
        ("400 Bad Request", "EntityTooLarge", "", .tooLarge, "raise its limit (EntityTooLarge)"),
        ("400 Bad Request", "MaxMessageLengthExceeded", "", .tooLarge, "raise its limit"),
        ("413 Too Large", "Odd", "", .tooLarge, "client_max_body_size"),
        ("507 Insufficient", "Whatever", "", .noSpace, "make room"),
        ("403 Forbidden", "InvalidObjectState", "", .permissionDenied, "lifecycle"),
        ("400 Bad Request", "AuthorizationHeaderMalformed", "<Region>eu-west-3</Region>", .usage, "`region=eu-west-3`"),
        ("301 Moved", "PermanentRedirect", "<Region>eu-west-3</Region>", .usage, "`region=eu-west-3`"),
        ("511 Authentication Required", "Portal", "", .unreachable, "this network wants a login first"),
        ("501 Not Implemented", "NotImplemented", "", .usage, "cannot be used"),
        ("423 Locked", "Locked", "", .temporary, "423"), ("429 Too Many", "Wait", "", .temporary, "429"),
        ("401 Unauthorized", "Who", "", .notAuthenticated, "check name and password or keys"),
        ("418 Teapot", "Teapot", "", .unreachable, "418: Teapot, Some Teapot words"),
    ]

    @Test(arguments: refusals.indices)
    func refusalsSayWhatToDo(_ index: Int) async throws {
        let refusal = Self.refusals[index]
        let server = try await LoopbackServer { request, _ in
            // Some servers repeat all that was sent.
            let echo = request.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
            return Reply(
                refusal.status, ["Content-Type: application/xml"],
                Self.error(refusal.code, "\(refusal.more)<StringToSign>\(echo)</StringToSign>"))
        }
        let store = try store(server)
        let calls: [@Sendable () async throws -> Void] = [
            { try await store.put("dd1/a", [1]) }, { _ = try await store.get("dd1/a", range: nil) },
            { _ = try await store.get("dd1/a", range: 1..<2) }, { try await store.delete("dd1/a") },
            { _ = try await store.list(prefix: "", after: nil, limit: 5) }, { _ = try await store.look() },
        ]
        for (number, call) in calls.enumerated() {
            let error = try #require(await failure(call))
            #expect(!"\(error)".contains("canary") && !"\(error)".contains("AWS4-HMAC"), "\(error)")
            // That one has a test of its own.
            if number == 3, refusal.status.hasPrefix("501") { continue }
            // What is put may be refused for what it is, and who lets nothing be removed may let the rest be done.
            let ofOneCall: [Int: DriveError.Kind] = [0: .refused, 3: .permissionDenied]
            let kind = refusal.status.hasPrefix("418") ? ofOneCall[number] ?? refusal.kind : refusal.kind
            #expect(error.kind == kind && error.message.contains(refusal.word), "\(refusal.code): \(error)")
            #expect(error.path == (number < 4 ? "s3://bucket/place/dd1/a" : "s3://bucket/place/"))
        }
    }

    @Test(arguments: [("&ca=/no/such/file", "the file of `ca=` "), ("", "the file of AWS_CA_BUNDLE ")])
    func aFileOfCertificatesIsCalledByWhatNamesIt(_ option: String, _ word: String) throws {
        let url = try StoreURL("s3://bucket/place?endpoint=https://127.0.0.1:1&region=us-east-1\(option)")
        let options = RemoteStoreOptions(environment: ["AWS_CA_BUNDLE": "/no/such/file"])
        let error = #expect(throws: DriveError.self) { _ = try S3ObjectStore(url, options) }
        #expect(error?.kind == .usage && error?.path == "/no/such/file")
        #expect(error?.message.hasPrefix(word) == true, "\(error as Any)")
    }

    /// The address was right once: what is wrong now may pass without anybody.
    @Test(arguments: refusals.indices)
    func noRefusalIsAMistakeWhereTheDriveWasConnectedBefore(_ index: Int) async throws {
        let (status, code, more, kind, _) = Self.refusals[index]
        let server = try await LoopbackServer { _, _ in Reply(status, [], Self.error(code, more)) }
        let store = try store(server, isKnown: true)
        let error = await failure { _ = try await store.list(prefix: "", after: nil, limit: 1) }
        #expect(error?.kind == (kind == .usage ? .unreachable : kind), "\(status) \(code)")
    }

    @Test func secretsInMessagesOfTheServerAreLeftOut() async throws {
        let server = try await LoopbackServer { request, _ in
            let echo = request.fields.map { "\($0.name)=\($0.value)" }.sorted().joined(separator: " ")
            return Reply("400 Bad", [], "<Error><Code>Odd \(Self.secret)</Code><Message>\(echo)</Message></Error>")
        }
        let store = try store(server)
        let error = try #require(await failure { try await store.put("dd1/a", [1]) })
        let sent = try #require(server.requests.first?["Authorization"])
        let signature = try #require(sent.split(separator: "=").last)
        #expect(error.message.contains("Odd ..."))
        #expect(!"\(error)".contains("canary") && !"\(error)".contains(signature), "\(error)")
        #expect(server.requests.first?["x-amz-security-token"] == Self.token)
    }

    @Test(arguments: [
        ("Retry-After: 17", 17.0), ("Retry-After: Fri, 31 Dec 1999 23:59:59 GMT", 59.0), ("Retry-After: soon", nil),
        ("X-None: 1", nil),
    ])
    func waitsAreToldOn(_ field: String, _ seconds: Double?) async throws {
        let server = try await LoopbackServer { _, _ in
            Reply("503 Wait", [field, "Date: Fri, 31 Dec 1999 23:59:00 GMT"], Self.error("SlowDown"))
        }
        let store = try store(server)
        let error = try #require(await failure { try await store.put("dd1/a", [1]) })
        #expect(error.kind == .temporary && error.retryAfter == seconds)
    }

    @Test func aWrongClockIsComparedWithTheServers() async throws {
        let server = try await LoopbackServer { _, _ in
            Reply("403 Forbidden", ["Date: Fri, 31 Dec 1999 23:59:00 GMT"], Self.error("RequestTimeTooSkewed"))
        }
        let store = try store(server)
        let error = await failure { try await store.put("dd1/a", [1]) }
        #expect(error?.message.contains("there it is Fri, 31 Dec 1999 23:59:00 GMT; set it") == true)
    }

    @Test func aPortalIsNoStore() async throws {
        let server = try await LoopbackServer { _, _ in
            Reply("200 OK", ["Content-Type: text/html"], "<html><title>Please log in</title></html>")
        }
        let store = try store(server, partThreshold: 10)
        let calls: [@Sendable () async throws -> Void] = [
            { try await store.put("dd1/a", [1]) }, { try await store.put("dd1/a", [UInt8](repeating: 1, count: 20)) },
            { _ = try await store.get("dd1/a", range: nil) }, { _ = try await store.get("dd1/a", range: 3..<3) },
            { try await store.delete("dd1/a") }, { _ = try await store.list(prefix: "", after: nil, limit: 5) },
            { _ = try await store.look() }, { try await store.create() },
        ]
        for call in calls {
            let error = await failure(call)
            #expect(error?.kind == .unreachable, "\(String(describing: error))")
            #expect(error?.message.contains("something else than a store answers") == true)
        }
    }

    @Test func aPageThatNobodyFoundIsNotAMissingObject() async throws {
        let server = try await LoopbackServer { _, _ in
            Reply("404 Not Found", ["Content-Type: text/html"], "<html>404</html>")
        }
        let store = try store(server)
        #expect(await failure { _ = try await store.get("dd1/a", range: nil) }?.kind == .unreachable)
        #expect(await failure { try await store.delete("dd1/a") }?.kind == .unreachable)
    }

    /// It, or what stands before it, takes everything else.
    @Test(arguments: [true, false], [false, true])
    func aServerThatRemovesNothingIsInReach(isPage: Bool, isKnown: Bool) async throws {
        let server = try await LoopbackServer { _, _ in
            isPage
                ? Reply("405 Not Allowed", ["Content-Type: text/html"], "<html><h1>405 Not Allowed</h1></html>")
                : Reply("405 Method Not Allowed", ["Content-Type: application/xml"], Self.error("MethodNotAllowed"))
        }
        let store = try store(server, isKnown: isKnown)
        let error = await failure { try await store.delete("dd1/a") }
        #expect(error?.kind == .permissionDenied, "\(error as Any)")
        #expect(error?.message.contains("allow DELETE") == true, "\(error as Any)")
        #expect(await failure { _ = try await store.get("dd1/a", range: nil) }?.kind == .unreachable)
    }

    /// As of a gateway that knows no DELETE. Of whatever else is asked it means another server.
    @Test(arguments: [true, false], [false, true])
    func aServerThatKnowsNoRemovalIsInReach(hasCode: Bool, isKnown: Bool) async throws {
        let server = try await LoopbackServer { _, _ in
            Reply("501 Not Implemented", [], hasCode ? Self.error("NotImplemented") : "")
        }
        let store = try store(server, isKnown: isKnown)
        let error = await failure { try await store.delete("dd1/a") }
        #expect(error?.kind == .permissionDenied, "\(error as Any)")
        #expect(error?.message.contains("allow DELETE") == true, "\(error as Any)")
        let other = await failure { _ = try await store.get("dd1/a", range: nil) }
        #expect(other?.kind == (isKnown ? .unreachable : .usage), "\(other as Any)")
    }

    /// It is the store's own, or its proxy's, and may pass.
    @Test func aPageAboutAFailureIsNoPortal() async throws {
        let server = try await LoopbackServer { _, _ in
            Reply("500 Internal Server Error", ["Content-Type: text/html"], "<html><p>Internal Server Error</p></html>")
        }
        let store = try store(server)
        let error = await failure { _ = try await store.list(prefix: "", after: nil, limit: 5) }
        #expect(error?.kind == .temporary)
        #expect(error?.message.contains("the server answered 500: Internal Server Error") == true, "\(error as Any)")
    }

    /// It is nginx's, which stands before many stores: smaller objects are put then.
    @Test(arguments: [
        ("413 Request Entity Too Large", DriveError.Kind.tooLarge, "client_max_body_size"),
        ("408 Request Timeout", .temporary, "try again later"),
    ])
    func aPageAboutARequestIsNoPortal(_ status: String, _ kind: DriveError.Kind, _ word: String) async throws {
        let server = try await LoopbackServer { _, _ in
            Reply(status, ["Content-Type: text/html"], "<html><h1>\(status)</h1><hr>nginx/1.26</html>")
        }
        let store = try store(server)
        let error = await failure { try await store.put("dd1/a", [1]) }
        #expect(error?.kind == kind && error?.message.contains(word) == true, "\(error as Any)")
    }

    @Test(arguments: ["301 Moved Permanently", "307 Temporary Redirect"])
    func aRedirectionThatNamesTheRegionSaysWhatToWrite(_ status: String) async throws {
        let server = try await LoopbackServer { _, _ in
            Reply(
                status, ["Location: http://bucket.s3.eu-west-3.example/x", "x-amz-bucket-region: eu-west-3"],
                Self.error("TemporaryRedirect"))
        }
        let store = try store(server)
        let error = await failure { try await store.put("dd1/a", [1]) }
        #expect(error?.kind == .usage && error?.message.contains("`region=eu-west-3`") == true, "\(error as Any)")
    }

    /// A redirection that says no more than where to is not followed elsewhere.
    @Test func aRedirectionToAnotherHostIsNamed() async throws {
        let server = try await LoopbackServer { _, _ in
            Reply("307 Temporary Redirect", ["Location: http://other.example/x"], Self.error("TemporaryRedirect"))
        }
        let store = try store(server)
        let error = await failure { try await store.put("dd1/a", [1]) }
        #expect(error?.kind == .unreachable && error?.message.contains("sends us on to") == true, "\(error as Any)")
    }

    private static func list(_ inner: String) -> String {
        "<?xml version=\"1.0\"?><ListBucketResult>\(inner)</ListBucketResult>"
    }
    private static func item(_ key: String) -> String { "<Contents><Key>place/\(key)</Key><Size>1</Size></Contents>" }

    @Test(arguments: [
        "", "<ListBucketResult>", "<ListBucketResult><Contents></ListBucketResult>", "{}",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><ListBucketResult>&b;</ListBucketResult>", "<Other/>",
        list("<Contents><Key>place/a</Key><Size>-1</Size></Contents>"), list("<Contents><Size>1</Size></Contents>"),
        list("<IsTruncated>true</IsTruncated>"),
        String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100),
    ])
    func listsThatCannotBeRead(_ text: String) async throws {
        let server = try await LoopbackServer { _, _ in Reply("200 OK", ["Content-Type: application/xml"], text) }
        let store = try store(server)
        let error = await failure { _ = try await store.list(prefix: "", after: nil, limit: 5) }
        #expect(error?.kind == .unreachable, "\(String(describing: error))")
    }

    @Test func namesThatCannotBeDecodedAreNotSeen() async throws {
        let server = try await LoopbackServer { _, _ in
            let items = ["a", "b%00", "c%zz", "d%2Fe", "f+g"].map(Self.item).joined()
            return Reply("200 OK", [], Self.list("<EncodingType>url</EncodingType>" + items))
        }
        let store = try store(server)
        #expect(try await store.list(prefix: "", after: nil, limit: 9).map(\.key) == ["a", "d/e"])
    }

    @Test func aListThatGoesRoundEnds() async throws {
        let server = try await LoopbackServer { _, _ in
            Reply(
                "200 OK", [],
                Self.list(
                    Self.item("a") + "<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>"))
        }
        let store = try store(server)
        #expect(await failure { _ = try await store.list(prefix: "", after: nil, limit: 5) }?.kind == .unreachable)
        #expect(server.requests.count == 2)
    }

    @Test func aPageThatIsTooLongIsRefused() async throws {
        let server = try await LoopbackServer { _, _ in
            Reply("200 OK", [], [UInt8](repeating: 0x20, count: (8 << 20) + 1))
        }
        let store = try store(server)
        #expect(await failure { _ = try await store.list(prefix: "", after: nil, limit: 5) }?.kind == .unreachable)
    }

    /// Pages go on by token, or after the last name where a server gives no token; `start-after` may be ignored, and
    /// nothing may be in order.
    @Test(arguments: [true, false])
    func listsOfOddServers(_ givesTokens: Bool) async throws {
        let keys = ["c", "a", "e", "b", "d"]
        let server = try await LoopbackServer { request, number in
            let isLast = number % 2 == 1
            let items = (isLast ? keys[3...] : keys[..<3]).map(Self.item).joined()
            let token = givesTokens ? "<NextContinuationToken>a+b/c=</NextContinuationToken>" : ""
            return Reply("200 OK", [], Self.list(items + (isLast ? "" : "<IsTruncated>true</IsTruncated>\(token)")))
        }
        let store = try store(server)
        #expect(try await store.list(prefix: "", after: nil, limit: 2).map(\.key) == ["a", "b"])
        #expect(try await store.list(prefix: "", after: "b", limit: 9).map(\.key) == ["c", "d", "e"])
        let next = server.requests[1].target
        #expect(next.contains(givesTokens ? "continuation-token=a%2Bb%2Fc%3D" : "start-after=place%2Fe"), "\(next)")
    }

    private func partReply(_ request: LoopbackServer.Request, end: Reply) -> Reply {
        switch (request.method, request.target.contains("partNumber")) {
        case ("POST", _) where request.target.hasSuffix("uploads="):
            Reply(
                "200 OK", [],
                "<InitiateMultipartUploadResult><UploadId>one+two</UploadId></InitiateMultipartUploadResult>")
        case ("PUT", true): Reply("200 OK", ["ETag: \"tag\""])
        case ("DELETE", _): Reply("204 No Content", [])
        default: end
        }
    }

    @Test(arguments: [
        (Reply("200 OK", [], error("InternalError")), DriveError.Kind.temporary),
        (Reply("200 OK", [], "<CompleteMultipartUploadResult>"), .unreachable),
        (Reply("200 OK", [], ""), .unreachable), (Reply("403 No", [], error("AccessDenied")), .permissionDenied),
    ])
    func anUploadThatFailsIsAbandoned(_ end: Reply, _ kind: DriveError.Kind) async throws {
        let server = try await LoopbackServer { request, _ in self.partReply(request, end: end) }
        let store = try store(server, partThreshold: 10, partSize: 8)
        let error = await failure { try await store.put("dd1/a", [UInt8](repeating: 1, count: 20)) }
        #expect(error?.kind == kind)
        #expect(server.requests.map(\.method) == ["POST", "PUT", "PUT", "PUT", "POST", "DELETE"])
        #expect(server.requests.last?.target == "/bucket/place/dd1/a?uploadId=one%2Btwo")
    }

    @Test func anUploadMayEndAfterSpaces() async throws {
        let end = Reply(
            "200 OK", [],
            "  \n <?xml version=\"1.0\"?> <CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>"
        )
        let server = try await LoopbackServer { request, _ in self.partReply(request, end: end) }
        try await store(server, partThreshold: 10, partSize: 8).put("dd1/a", [UInt8](repeating: 1, count: 20))
        let list = String(decoding: try #require(server.requests.last?.body), as: UTF8.self)
        #expect(list.contains("<Part><PartNumber>3</PartNumber><ETag>&quot;tag&quot;</ETag></Part>"))
    }

    @Test func virtualHostsNameTheBucket() async throws {
        let address = try S3Address(try StoreURL("s3://bucket/a%20b"), region: "eu-west-3")
        #expect(address.origin.authority == "bucket.s3.eu-west-3.amazonaws.com" && address.origin.scheme == .https)
        #expect(address.path(of: "dd1/a") == "/a%20b/dd1/a" && address.bucketPath == "/")
        let dotted = try S3Address(try StoreURL("s3://my.bucket"), region: nil)
        #expect(dotted.origin.authority == "s3.us-east-1.amazonaws.com" && dotted.bucketPath == "/my.bucket")
        let own = try S3Address(
            try StoreURL("s3://bucket/p?endpoint=http://[::1]:9000/storage/s3/&style=virtual"), region: nil)
        #expect(own.origin.host == "bucket.::1" || own.path(of: "k") == "/storage/s3/p/k")
        for text in [
            "s3://bucket?style=odd", "s3://bucket?endpoint=ftp://x", "s3://bucket?region=a/b", "s3://me@bucket",
            "s3://bucket:80", "s3://bucket?secret=x", "s3://bucket?endpoint=https://x/?y",
        ] {
            let error = await failure { _ = try S3Address(try StoreURL(text), region: nil) }
            #expect(error?.kind == .usage, "\(text)")
        }
    }

    @Test func aSecretInAnAddressIsNotRepeated() async throws {
        for text in [
            "s3://bucket?secret=canary", "s3://bucket?endpoint=https://AKIA:canary@h&region=x",
            "s3://bucket?endpoint=https://AKIA:x/canary@h", "s3://bucket?endpoint=AKIA:canary",
            "s3://bucket?endpoint=canary@h",
            "s3://bucket?endpoint=https://AKIA:canary@h&region=a/b",
            "s3://bucket?endpoint=https://AKIA:canary@h&style=odd",
        ] {
            let error = await failure { _ = try S3Address(try StoreURL(text), region: nil) }
            #expect(error?.kind == .usage && error?.description.contains("canary") == false, "\(text)")
        }
    }

    @Test func keysAreReadAgainAfterARefusal() async throws {
        let folder = NSTemporaryDirectory() + "docdrive-keys-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/credentials"
        func write(_ user: String) throws {
            try "[default]\naws_access_key_id = \(user)\naws_secret_access_key = canary\n"
                .write(toFile: file, atomically: true, encoding: .utf8)
        }
        let server = try await LoopbackServer { request, _ in
            request["Authorization"]?.contains("fresh") == true
                ? Reply("200 OK", ["ETag: \"x\""]) : Reply("400 Bad Request", [], Self.error("ExpiredToken"))
        }
        let url = try StoreURL("s3://bucket?endpoint=http://127.0.0.1:\(server.port)")
        let store = try S3ObjectStore(
            url, RemoteStoreOptions(environment: ["HOME": folder, "AWS_SHARED_CREDENTIALS_FILE": file]))
        #expect(await failure { try await store.put("dd1/a", [1]) }?.message.contains("AWS_ACCESS_KEY_ID") == true)
        #expect(server.requests.isEmpty, "nothing is asked without keys")
        try write("stale")
        #expect(await failure { try await store.put("dd1/a", [1]) }?.kind == .notAuthenticated)
        #expect(!store.renewLogin())
        try write("fresh")
        #expect(store.renewLogin())
        try await store.put("dd1/a", [1])
    }
}
