import DriveCore
import Testing

struct AncestryTests {
    private func content(_ text: String, was: String? = nil) -> Content {
        let bytes = Array(text.utf8)
        return Content(
            hash: ContentHasher.hash(of: bytes), size: UInt64(bytes.count), modified: FileTime(seconds: 0),
            was: was.map { Content.Predecessor(ContentHasher.hash(of: Array($0.utf8))) }, body: .inline(bytes))
    }

    private func version(_ text: String) -> Content.Predecessor {
        Content.Predecessor(ContentHasher.hash(of: Array(text.utf8)))
    }

    @Test func theNewestThatBothComeFrom() {
        let line = [content("0"), content("1", was: "0"), content("a1", was: "1"), content("a2", was: "a1")]
        let ancestry = Ancestry(line)
        #expect(ancestry.common(content("a3", was: "a2"), content("b1", was: "1")) == version("1"))
        #expect(ancestry.common(content("b1", was: "1"), content("a3", was: "a2")) == version("1"))
        #expect(ancestry.content(version("1"))?.hash == line[1].hash)
    }

    @Test func oneMayComeFromTheOther() {
        #expect(Ancestry([]).common(content("a"), content("b", was: "a")) == version("a"))
    }

    @Test func aLineThatIsNotKnownEnds() {
        let ancestry = Ancestry([content("a1", was: "1")])
        #expect(ancestry.common(content("a2", was: "a1"), content("b", was: "1")) == version("1"))
        #expect(ancestry.content(version("1")) == nil)
        #expect(Ancestry([]).common(content("a2", was: "a1"), content("b", was: "1")) == nil)
        #expect(Ancestry([]).common(content("a"), content("b")) == nil)
    }

    @Test func whoGoesBackMakesARing() {
        let ancestry = Ancestry([content("1", was: "2"), content("2", was: "1")])
        #expect(ancestry.common(content("2", was: "1"), content("x", was: "y")) == nil)
        #expect(ancestry.common(content("2", was: "1"), content("x", was: "1")) == version("2"))
    }
}
