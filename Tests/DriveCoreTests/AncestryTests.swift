import DriveCore
import Testing

struct AncestryTests {
    /// Devices write at the times that they are asked for.
    private func head(_ text: String, was: String? = nil, at time: UInt64, by device: UInt64 = 1) -> Head {
        let bytes = Array(text.utf8)
        let content = Content(
            hash: ContentHasher.hash(of: bytes), size: UInt64(bytes.count), modified: FileTime(seconds: 0),
            was: was.map { Content.Predecessor(ContentHasher.hash(of: Array($0.utf8))) }, body: .inline(bytes))
        return Head(
            dot: Dot(device: DeviceID(high: device, low: 0), n: time), time: HybridTime(milliseconds: time),
            content: content)
    }

    private func version(_ text: String) -> Content.Predecessor {
        Content.Predecessor(ContentHasher.hash(of: Array(text.utf8)))
    }

    @Test func theNewestThatBothComeFrom() {
        let line = [
            head("0", at: 1), head("1", was: "0", at: 2), head("a1", was: "1", at: 3), head("a2", was: "a1", at: 4),
        ]
        let ancestry = Ancestry(line)
        let (a, b) = (head("a3", was: "a2", at: 5), head("b1", was: "1", at: 3, by: 2))
        #expect(ancestry.common(a, b) == version("1"))
        #expect(ancestry.common(b, a) == version("1"))
        #expect(ancestry.content(version("1"))?.hash == line[1].content.hash)
    }

    @Test func oneMayComeFromTheOther() {
        #expect(Ancestry([]).common(head("a", at: 1), head("b", was: "a", at: 2)) == version("a"))
    }

    @Test func aLineThatIsNotKnownEnds() {
        let ancestry = Ancestry([head("a1", was: "1", at: 2)])
        #expect(ancestry.common(head("a2", was: "a1", at: 3), head("b", was: "1", at: 2)) == version("1"))
        #expect(ancestry.content(version("1")) == nil)
        #expect(Ancestry([]).common(head("a2", was: "a1", at: 3), head("b", was: "1", at: 2)) == nil)
        #expect(Ancestry([]).common(head("a", at: 1), head("b", at: 2)) == nil)
    }

    /// The one side takes its change back, and makes another: what the other side comes from is the text before both.
    @Test func whoGoesBackDoesNotGoWhereTheOtherComesFrom() {
        let copy = head("a", was: "0", at: 3, by: 1)
        let past = [
            head("0", at: 1), copy, head("b", was: "0", at: 3, by: 2), head("0", was: "b", at: 5, by: 2),
            head("c", was: "0", at: 7, by: 2), head("0", was: "c", at: 9, by: 1),
        ]
        let again = head("c", was: "0", at: 11, by: 1)
        #expect(Ancestry(past + [again]).common(again, copy) == version("0"))
        #expect(Ancestry(past + [again]).common(copy, again) == version("0"))
        // Also where the other side was written after the text of before had come back, and by a clock that says so.
        let late = head("a", was: "0", at: 6, by: 3)
        let back = head("b", was: "c", at: 12, by: 2)
        #expect(Ancestry(past + [late, back]).common(back, late) == version("0"))
    }

    @Test func anEarlierTextThatComesBackHidesNothing() {
        let copy = head("a", was: "0", at: 3, by: 1)
        let past = [head("0", at: 1), copy, head("b", was: "0", at: 3, by: 2), head("c", was: "b", at: 5, by: 2)]
        let back = head("b", was: "c", at: 7, by: 1)
        #expect(Ancestry(past + [back]).common(back, copy) == version("0"))
    }

    @Test func whatTheWriterWroteItselfIsWhatItKnew() {
        let copy = head("a", was: "0", at: 4)
        let past = [head("0", was: "p", at: 1, by: 2), head("q", at: 2), head("0", was: "q", at: 3), copy]
        #expect(Ancestry(past).common(copy, head("b", was: "q", at: 3, by: 3)) == version("q"))
    }

    @Test func contentsThatNameOneAnotherEnd() {
        let ancestry = Ancestry([head("1", was: "2", at: 1), head("2", was: "1", at: 1)])
        #expect(ancestry.common(head("2", was: "1", at: 1), head("x", was: "y", at: 1)) == nil)
        #expect(ancestry.common(head("2", was: "1", at: 1), head("x", was: "1", at: 1)) == version("1"))
    }
}
