import DriveCore
import Foundation
import Testing

@testable import DriveRemoteStores

/// The pieces of HTTP that need no server.
struct HTTPPartsTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
        ("06 Nov", nil), ("", nil), ("Sun, 99 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil),
        ("Sun, 06 Nov 99999999999999999999 08:49:37 GMT", nil),
    ])
    func dates(_ text: String, _ seconds: Double?) { #expect(HTTPDate.seconds(text) == seconds) }

    @Test func originsAreParsed() {
        let cases: [(String, String?, String)] = [
            ("https://Host.Example/a?b", "https://host.example", "/a?b"), ("http://h:8080", "http://h:8080", ""),
            ("https://h:443/", "https://h", "/"), ("http://[::1]:9000/x", "http://[::1]:9000", "/x"),
            ("http://[::1]", "http://[::1]", ""), ("ftp://h", nil, ""), ("http://me@h/", nil, ""), ("http://", nil, ""),
            ("http://h:0/", nil, ""), ("http://h:99999/", nil, ""), ("http://[::1/", nil, ""), ("h", nil, ""),
        ]
        for (text, origin, rest) in cases {
            let found = HTTPOrigin.parse(text)
            #expect(found?.origin.description == origin, "\(text)")
            #expect((found?.rest ?? "") == rest, "\(text)")
        }
    }

    private func proxy(_ host: String, _ environment: [String: String]) throws -> String? {
        try HTTPProxy.forOrigin(HTTPOrigin(.https, host: host), environment).map { "\($0.host):\($0.port)" }
    }

    @Test func proxiesAreThoseOfTheEnvironment() throws {
        #expect(try proxy("h", [:]) == nil)
        #expect(try proxy("h", ["HTTP_PROXY": "http://p:1"]) == nil)
        #expect(try proxy("h", ["HTTPS_PROXY": "http://p:1", "ALL_PROXY": "http://q:2"]) == "p:1")
        #expect(try proxy("h", ["HTTPS_PROXY": "p:1", "https_proxy": "r:3"]) == "r:3")
        #expect(try proxy("h", ["all_proxy": "socks5h://[::1]"]) == "::1:1080")
        let all = ["HTTPS_PROXY": "http://p:1/"]
        for (list, isUsed) in [
            ("*", false), ("h.example", false), ("example", false), (".example", false), ("other, example", false),
            ("ample", true), ("h.example:443", false), ("h.example:80", true), ("x.h.example", true), ("", true),
        ] {
            #expect(try (proxy("h.example", all.merging(["NO_PROXY": list]) { $1 }) != nil) == isUsed, "\(list)")
        }
        for text in ["https://me:canary@p:1", "http://me:canary@p:port", "http://me:canary@/"] {
            let error = #expect(throws: DriveError.self) { try proxy("h", ["HTTPS_PROXY": text]) }
            #expect(error?.kind == .usage && error.map { !"\($0)".contains("canary") } == true, "\(text)")
        }
    }

    /// Its disk may not be mounted yet.
    @Test func authoritiesThatAreNotThereMayComeLater() throws {
        func kind(_ path: String, isKnown: Bool) -> DriveError.Kind? {
            let file = AuthorityFile(path)
            do throws(DriveError) { _ = try HTTPTrust.configuration(authorities: file, isKnown: isKnown) } catch {
                return error.kind
            }
            return nil
        }
        let missing = NSTemporaryDirectory() + "docdrive-\(UUID().uuidString).pem"
        #expect(kind(missing, isKnown: true) == .unreachable && kind(missing, isKnown: false) == .usage)
        try Data("no certificate".utf8).write(to: URL(fileURLWithPath: missing))
        defer { try? FileManager.default.removeItem(atPath: missing) }
        #expect(kind(missing, isKnown: true) == .usage && kind(missing, isKnown: false) == .usage)
    }

    /// Servers repeat what they were sent in ways of their own.
    @Test(arguments: [
        "hunter2+S3kr/t x&'\"", "hunter2%2BS3kr%2Ft%20x%26%27%22", "hunter2%2bS3kr%2ft%20x%26%27%22",
        "hunter2+S3kr/t%20x&'%22",
        "hunter2%2BS3kr%2Ft+x%26%27%22", "hunter2+S3kr/t x&amp;&#39;&quot;", "hunter2&#43;S3kr&#47;t x&#38;&#39;&#34;",
        "hunter2+S3kr\\/t x&'\\\"",
    ])
    func aSecretIsLeftOutHoweverItIsWritten(_ text: String) {
        var request = HTTPRequest("PUT", "/x", subject: "x")
        request.secrets = ["hunter2+S3kr/t x&'\""]
        #expect(Redaction(request).redacted("user \(text).") == "user ....")
    }

    @Test func excerptsAreOneShortLine() {
        #expect(Excerpt.short("  a\r\n\tb\u{0}c ") == "a b c")
        #expect(Excerpt.short(String(repeating: "x", count: 300)).count == 200)
        let page = "<html><head><style>b{}</style><script>1<2</script></head><!-- > --><b>Hello</b> you</html>"
        #expect(Excerpt.short(Excerpt.withoutMarkup(Array(page.utf8))) == "Hello you")
        #expect(Excerpt.withoutMarkup(Array("a < b".utf8)) == "a  ")
    }

    @Test(arguments: [
        (503, [], "; try again later"),
        (503, [HTTPField("Retry-After", "30")], "; try again in 30 seconds, as it asks"),
        (429, [HTTPField("Retry-After", "600")], "; try again in 10 minutes, as it asks"),
        (500, [], "; try again later"),
        (409, [], "; somebody else may be changing the same; try again"), (423, [], "; somebody holds a lock on it"),
        (401, [HTTPField("Retry-After", "30")], "; check name and password or keys"),
    ])
    func everyRefusalSaysWhatToDo(_ status: Int, _ fields: [HTTPField], _ text: String) {
        let answer = HTTPAnswer(
            status: status, fields: fields, body: Array("sorry".utf8),
            redaction: Redaction(HTTPRequest("PUT", "/x", subject: "x")))
        let error = HTTPStatus.error(answer, "store the object", subject: "x")
        #expect(error.message.contains("the server answered \(status): sorry\(text)"), "\(error.message)")
    }
}
