import DriveCore
import Testing

struct AncestryTests {
    /// Devices write at the times that they are asked for.
    private static func head(_ text: String, was: String? = nil, at time: UInt64, by device: UInt64 = 1) -> Head {
        let bytes = Array(text.utf8)
        let content = Content(
            hash: hash(text), size: UInt64(bytes.count), modified: FileTime(seconds: 0),
            was: was.map { Content.Predecessor(hash($0)) }, body: .inline(bytes))
        return Head(
            dot: Dot(device: DeviceID(high: device, low: 0), n: time), time: HybridTime(milliseconds: time),
            content: content)
    }

    private static func head(_ text: String, over older: Head, at time: UInt64, by device: UInt64 = 1) -> Head {
        var head = head(text, at: time, by: device)
        head.content.was = Content.Predecessor(older.dot)
        return head
    }

    private static func hash(_ text: String) -> ContentHash { ContentHasher.hash(of: Array(text.utf8)) }

    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var past: [Head]
        var sides: (Head, Head)
        var common: String?

        init(_ name: String, past: [Head], more: [Head] = [], _ a: Head, _ b: Head, common: String?) {
            testDescription = name
            self.past = past + more
            sides = (a, b)
            self.common = common
        }
    }

    /// Whichever side is named first, and in whatever order the past is told.
    @Test(arguments: all) func whatBothComeFrom(_ story: Story) {
        let (a, b) = story.sides
        let expected = story.common.map { Self.hash($0) }
        let orders: [[Head]] = [story.past, story.past.reversed()]
        for past in orders {
            let ancestry = Ancestry(past)
            #expect(ancestry.common(a, b)?.hash == expected)
            #expect(ancestry.common(b, a)?.hash == expected)
        }
    }

    private static let all = stories + recurring + records + unknown

    private static let stories: [Story] = [
        Story(
            "the newest that both come from",
            past: [
                head("0", at: 1), head("1", was: "0", at: 2), head("a1", was: "1", at: 3),
                head("a2", was: "a1", at: 4),
            ],
            head("a3", was: "a2", at: 5), head("b1", was: "1", at: 3, by: 2), common: "1"),
        Story("nothing", past: [], head("a", at: 1), head("b", at: 2), common: nil),
        Story(
            "neither comes from the other", past: [], head("a", at: 1), head("b", was: "a", at: 2, by: 2),
            common: nil),
    ]

    /// The text with a page, and the text without it, which everybody had; one takes the page back.
    private static let page: [Head] = [head("page", at: 1), head("none", was: "page", at: 3)]
    private static let restored = head("page", was: "none", at: 5)
    private static let line = head("line", was: "none", at: 4, by: 2)

    private static let recurring: [Story] = [
        Story("a restore", past: page, restored, line, common: "none"),
        Story("a restore by somebody else", past: page, head("page", was: "none", at: 5, by: 3), line, common: "none"),
        Story(
            "a restore, then an edit", past: page, more: [restored], head("z", was: "page", at: 7), line, common: "none"
        ),
        Story(
            "a restore, then edits of others", past: page, more: [restored, head("y", was: "page", at: 7, by: 3)],
            head("z", was: "y", at: 9, by: 4), line, common: nil),
        Story(
            "a restore, then an edit by who had it without",
            past: [head("page", at: 1), head("none", was: "page", at: 3, by: 2), restored],
            head("z", was: "page", at: 7, by: 2), head("line", was: "none", at: 4, by: 3), common: "none"),
        Story(
            "a restore on both sides, then edits",
            past: page, more: [restored, head("page", was: "none", at: 6, by: 2)],
            head("a", was: "page", at: 7), head("b", was: "page", at: 8, by: 2), common: "page"),
        Story(
            "a restore that both have, whose edits others make", past: page, more: [restored],
            head("a", was: "page", at: 7, by: 3), head("b", was: "page", at: 8, by: 4), common: "page"),
        Story(
            "an undo, and its undo", past: page, more: [restored, head("none", was: "page", at: 7)],
            head("a", was: "none", at: 9), line, common: "none"),
        Story(
            "an undo of what came from others", past: [head("0", at: 1, by: 2), head("1", was: "0", at: 3, by: 2)],
            head("0", was: "1", at: 5), head("2", was: "1", at: 4, by: 3), common: "1"),
        // The one side takes its change back, and makes another: what the other side comes from is the text before both.
        Story(
            "who goes back does not go where the other comes from", past: back, more: [head("0", was: "c", at: 9)],
            head("c", was: "0", at: 11), head("a", was: "0", at: 3), common: "0"),
        // By a clock that says that it was written after the text of before had come back.
        Story(
            "also where the other side is later", past: back, head("b", was: "c", at: 12, by: 2),
            head("a", was: "0", at: 6, by: 3), common: "0"),
        Story(
            "an earlier text that comes back hides nothing",
            past: [head("0", at: 1), head("b", was: "0", at: 3, by: 2), head("c", was: "b", at: 5, by: 2)],
            head("b", was: "c", at: 7), head("a", was: "0", at: 3), common: "0"),
        Story(
            "what the writer wrote itself is what it knew",
            past: [head("0", was: "p", at: 1, by: 2), head("q", at: 2), head("0", was: "q", at: 3)],
            head("a", was: "0", at: 4), head("b", was: "q", at: 3, by: 3), common: "q"),
        // Of the page some say that it came back, and others have taken it out: which one this one had, nobody knows.
        Story(
            "either of two that lead elsewhere", past: page, more: [head("page", was: "none", at: 5, by: 3)],
            head("b", was: "page", at: 7, by: 2), head("p", was: "none", at: 8), common: nil),
    ]

    private static let back: [Head] = [
        head("0", at: 1), head("b", was: "0", at: 3, by: 2), head("0", was: "b", at: 5, by: 2),
        head("c", was: "0", at: 7, by: 2),
    ]

    private static let first = head("page", at: 1)
    private static let second = head("none", over: first, at: 3)
    private static let third = head("page", over: second, at: 5)

    /// Where each names the record that it replaced.
    private static let records: [Story] = [
        Story(
            "edits of a text that came back", past: [first, second, third],
            head("a", over: third, at: 7, by: 2), head("b", over: third, at: 8, by: 3), common: "page"),
        Story(
            "an edit of the text before it came back", past: [first, second, third],
            head("a", over: third, at: 7, by: 2), head("b", over: first, at: 8, by: 3), common: "page"),
        Story(
            "an edit of the text without it", past: [first, second, third],
            head("a", over: third, at: 7, by: 2), head("b", over: second, at: 8, by: 3), common: "none"),
        Story(
            "either of two that lead elsewhere",
            past: [first, second, third, head("page", over: second, at: 5, by: 3)],
            head("b", over: third, at: 7, by: 2), head("p", over: second, at: 8), common: "none"),
        Story(
            "a restore by others that is not known here", past: [first, second],
            head("a", over: third, at: 7, by: 3), head("b", over: second, at: 8, by: 2), common: nil),
        Story(
            "one that names bytes beside it", past: [first, second, third],
            head("a", over: third, at: 7, by: 2), head("b", was: "none", at: 8, by: 3), common: "none"),
        Story(
            "a record that says that it comes from a later one", past: [third, head("0", over: third, at: 4)],
            head("a", over: third, at: 7, by: 2), head("b", over: head("0", at: 4), at: 8, by: 3), common: nil),
    ]

    private static let unknown: [Story] = [
        Story(
            "a record that is not known here", past: [head("a1", was: "1", at: 2)], head("a2", was: "a1", at: 3),
            head("b", was: "1", at: 2, by: 2), common: nil),
        Story("bytes that are not known here", past: [head("0", at: 1)], restored, line, common: nil),
        Story("a restore that is not known here", past: page, head("z", was: "page", at: 7), line, common: nil),
        Story(
            "what is younger is not what was replaced", past: [head("0", at: 5, by: 3)],
            head("a", was: "0", at: 3), head("b", was: "0", at: 4, by: 2), common: nil),
        Story(
            "contents that name one another end", past: [head("1", was: "2", at: 1), head("2", was: "1", at: 1)],
            head("2", was: "1", at: 1, by: 2), head("x", was: "1", at: 1), common: nil),
    ]
}
