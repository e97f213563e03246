import Testing

@testable import DriveRemoteStores

struct S3XMLTests {
    private let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <s3:ListBucketResult xmlns:s3="http://s3.amazonaws.com/doc/2006-03-01/"><s3:Contents>
          <s3:Key>a&amp;b&#x43;<![CDATA[<d>]]></s3:Key><s3:Size>12</s3:Size></s3:Contents><s3:IsTruncated/>
        </s3:ListBucketResult>
        """

    @Test func elementsAreReadWithoutTheirPrefixes() throws {
        let root = try #require(S3XMLParser.parse(Array(text.utf8)))
        #expect(root.name == "ListBucketResult" && root["IsTruncated"]?.text == "")
        #expect(root.all("Contents").map { $0["Key"]?.text } == ["a&bC<d>"])
        #expect(S3List(root)?.objects.map(\.size) == [12])
    }

    @Test func whatIsCutIsNothing() {
        let bytes = Array(text.utf8)
        for count in 0..<bytes.count { #expect(S3XMLParser.parse(Array(bytes[..<count])) == nil) }
    }

    /// Whatever comes of it, it comes to an end, and all lists that can be read are lists.
    @Test func damageIsBorne() {
        // Reproducible: a linear congruential generator (Knuth, MMIX).
        var random = Congruential(state: 1)
        for _ in 0..<2_000 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = [UInt8.random(in: 0...255, using: &random), 0x3C, 0x26, 0x3E].randomElement(
                    using: &random)!
            }
            if let root = S3XMLParser.parse(bytes), root.name == "ListBucketResult" { _ = S3List(root) }
        }
    }

    @Test func entitiesAreNotExpanded() {
        let bomb = """
            <!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
            <Error><Code>&b;&c;</Code></Error>
            """
        #expect(S3XMLParser.parse(Array(bomb.utf8)) == nil)
        #expect(S3XMLParser.parse(Array("<Error><Code>&unknown;</Code></Error>".utf8)) == nil)
    }

    @Test func depthAndNumberAreBounded() {
        let deep = String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17)
        #expect(S3XMLParser.parse(Array(deep.utf8)) == nil)
        let many = "<a>" + String(repeating: "<b/>", count: 50_001) + "</a>"
        #expect(S3XMLParser.parse(Array(many.utf8)) == nil)
    }

    private struct Congruential: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }
}
