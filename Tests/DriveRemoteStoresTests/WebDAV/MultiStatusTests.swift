import DriveCore
import Testing

@testable import DriveRemoteStores

/// Answers to PROPFIND as servers write them, and as nobody should.
struct MultiStatusTests {
    /// As `/collection/`, `/object=SIZE`, or `/object` where the size is not said.
    private func resources(_ text: String) throws -> [String] {
        try MultiStatusParser.resources(Array(text.utf8)).map { resource in
            String(decoding: resource.path, as: UTF8.self) + (resource.isCollection ? "/" : "")
                + (resource.size.map { "=\($0)" } ?? "")
        }
    }

    private func flaw(_ text: String) -> String? {
        do {
            _ = try MultiStatusParser.resources(Array(text.utf8))
            return nil
        } catch { return error.text }
    }

    @Test func apacheAndNginxAreRead() throws {
        let apache = """
            <?xml version="1.0" encoding="utf-8"?>
            <D:multistatus xmlns:D="DAV:" xmlns:ns0="DAV:">
            <D:response xmlns:lp1="DAV:"><D:href>/files/</D:href><D:propstat><D:prop>
            <lp1:resourcetype><D:collection/></lp1:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
            <D:propstat><D:prop><D:getcontentlength/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>
            </D:response>
            <D:response xmlns:lp1="DAV:"><D:href>/files/format</D:href><D:propstat><D:prop><lp1:resourcetype/>
            <lp1:getcontentlength>17</lp1:getcontentlength></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
            </D:response></D:multistatus>
            """
        #expect(try resources(apache) == ["/files/", "/files/format=17"])
    }

    @Test func anyPrefixWillDo() throws {
        for (prefix, declared) in [("", "xmlns"), ("d:", "xmlns:d"), ("ns0:", "xmlns:ns0")] {
            let text = """
                <\(prefix)multistatus \(declared)="DAV:"><\(prefix)response><\(prefix)href> /a%2fb/c </\(prefix)href>
                <\(prefix)propstat><\(prefix)prop><\(prefix)resourcetype/><\(prefix)getcontentlength>5\
                </\(prefix)getcontentlength></\(prefix)prop></\(prefix)propstat></\(prefix)response></\(prefix)multistatus>
                """
            #expect(try resources(text) == ["/a/b/c=5"])
        }
    }

    @Test func namesOfOtherSpacesMeanNothing() throws {
        let text = """
            <m:multistatus xmlns:m="DAV:" xmlns:o="urn:other"><m:response><m:href>/x</m:href><o:href>/y</o:href>
            <m:propstat><m:prop><o:resourcetype><m:collection/></o:resourcetype><o:getcontentlength>9</o:getcontentlength>
            <m:resourcetype><o:collection/><m:other/></m:resourcetype></m:prop></m:propstat></m:response></m:multistatus>
            """
        #expect(try resources(text) == ["/x"])
        #expect(flaw(#"<multistatus xmlns="urn:other"/>"#) == "it does not speak WebDAV")
        #expect(flaw("<multistatus/>") == "it does not speak WebDAV")
    }

    @Test func whatFailedIsLeftOut() throws {
        let text = """
            <d:multistatus xmlns:d="DAV:">
            <d:response><d:href>/a</d:href><d:status>HTTP/1.1 403 Forbidden</d:status></d:response>
            <d:response><d:href>/b</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype></d:prop>
            <d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>
            <d:response><d:propstat/></d:response><d:response><d:href>no path</d:href></d:response></d:multistatus>
            """
        #expect(try resources(text) == ["/b"])
    }

    @Test(arguments: [
        ("/a/b", "/a/b"), ("/a/b/", "/a/b"), ("//a//b//", "/a/b"), ("/", ""), ("http://other:81/a%20b/c", "/a b/c"),
        ("https://u@host", ""), ("/a?x=1", "/a"), ("/a#x", "/a"), ("/%64%64%31", "/dd1"), ("/caf%C3%A9", "/café"),
        ("/café", "/café"), ("/a://b", "/a:/b"),
    ])
    func hrefsOfManyForms(_ href: String, _ path: String) {
        #expect(DAVResource.path(ofHref: href).map { String(decoding: $0, as: UTF8.self) } == path)
    }

    @Test(arguments: ["", "a", "a/b", "/a%", "/a%4", "/a%zz", "/a%00b", "?", "mailto:a"])
    func hrefsThatAreNone(_ href: String) { #expect(DAVResource.path(ofHref: href) == nil) }

    @Test func entitiesAreRefusedBeforeTheyGrow() {
        var bomb = #"<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa">"#
        for level in 0..<20 {
            let (name, inner) = ("b\(level)", level == 0 ? "a" : "b\(level - 1)")
            bomb += "<!ENTITY \(name) \"" + String(repeating: "&\(inner);", count: 10) + "\">"
        }
        bomb += #"]><multistatus xmlns="DAV:"><response><href>/&b19;</href></response></multistatus>"#
        #expect(flaw(bomb) == "its answer declares a document type, which WebDAV never does")
        let outside = #"<!DOCTYPE m SYSTEM "file:///etc/passwd"><multistatus xmlns="DAV:"/>"#
        #expect(flaw(outside) == "its answer declares a document type, which WebDAV never does")
        let undeclared = #"<multistatus xmlns="DAV:"><response><href>/&nbsp;</href></response></multistatus>"#
        #expect(flaw(undeclared) != nil)
    }

    @Test func charactersThatEveryoneKnowsAreRead() throws {
        let text =
            #"<multistatus xmlns="DAV:"><response><href>/a&amp;b&#x2f;c<![CDATA[<d>]]></href></response></multistatus>"#
        #expect(try resources(text) == ["/a&b/c<d>"])
    }

    @Test func everyTruncationIsNoticed() throws {
        let text = """
            <d:multistatus xmlns:d="DAV:"><d:response><d:href>/a</d:href></d:response></d:multistatus>
            """
        #expect(try resources(text).count == 1)
        let bytes = Array(text.utf8)
        for length in bytes.indices {
            #expect(throws: MultiStatusParser.Flaw.self) { try MultiStatusParser.resources(Array(bytes[..<length])) }
        }
    }

    @Test func whatIsTooMuchIsRefused() {
        let start = #"<multistatus xmlns="DAV:">"#
        #expect(
            flaw(start + String(repeating: "<a>", count: 100_000))
                == "the elements of its answer lie too deep in each other")
        let long = String(repeating: "x", count: 1 << 20)
        #expect(
            flaw("\(start)<response><href>/\(long)</href></response></multistatus>")
                == "a name in its answer is too long")
        #expect(flaw("\(start)<response><\(long)/></response></multistatus>") == "a name in its answer is too long")
        #expect(flaw("\(start)<response/></x>") == "its XML is damaged or cut")
        #expect(flaw("\(start)<d:response/></multistatus>") == "its XML is damaged or cut")
        #expect(flaw("<html><body>Sign in</body></html>") == "it does not speak WebDAV")
        #expect(flaw("no XML") != nil)
        #expect(flaw("") == "its answer is empty")
    }

    @Test func damagedBytesDoNoHarm() {
        let text = Array(
            #"<d:multistatus xmlns:d="DAV:"><d:response><d:href>/a</d:href><d:propstat/></d:response></d:multistatus>"#
                .utf8)
        var generator = Generator(state: 7)
        for _ in 0..<5_000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            // Whatever comes of it, it is an answer or a flaw, and never more than was there.
            let found = (try? MultiStatusParser.resources(bytes)) ?? []
            #expect(found.count <= 1)
        }
    }

    /// SplitMix64.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}

/// What an answer says of the collection that was asked for.
struct DAVCollectionTests {
    private func collection(_ path: String, _ resources: [(String, Bool)]) -> DAVCollection? {
        DAVCollection(
            at: Array(path.utf8), resources.map { DAVResource(path: Array($0.0.utf8), isCollection: $0.1, size: 1) })
    }

    private func names(_ collection: DAVCollection?) -> [String]? {
        collection?.members.map { String(decoding: $0.name, as: UTF8.self) }
    }

    @Test func membersLieDirectlyInIt() {
        let found = collection(
            "/a", [("/a", true), ("/a/b", true), ("/a/c", false), ("/a/b/d", false), ("/ab", false)])
        #expect(names(found) == ["b", "c"])
        #expect(found?.isCollection == true)
    }

    @Test func aServerMayLeaveItOut() {
        #expect(names(collection("/a", [("/a/b", true)])) == ["b"])
        #expect(names(collection("", [("/b", true), ("/c", false)])) == ["b", "c"])
    }

    @Test func aProxyMayChangeThePath() {
        #expect(names(collection("/outer/a", [("/a", true), ("/a/b", false)])) == ["b"])
        #expect(collection("/outer/a/b", [("/a/b", false)])?.isCollection == false)
        #expect(collection("/outer/a/b", [("/a/c", false)]) == nil)
    }

    @Test func anotherPlaceIsNoAnswer() {
        #expect(names(collection("/a", [])) == nil)
        #expect(names(collection("/a", [("/b", false)])) == nil)
        #expect(names(collection("/a", [("/b/c", false), ("/d/e", false)])) == nil)
        #expect(names(collection("/a", [("/b", true), ("/c/e", false)])) == nil)
    }

    @Test func aFileIsNone() { #expect(collection("/a", [("/a", false)])?.isCollection == false) }
}
