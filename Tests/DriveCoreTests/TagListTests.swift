import DriveCore
import Testing

@Suite struct TagListTests {
    @Test func isReadAsDesktopsWriteIt() {
        #expect(TagList(bytes: Array("work, urgent ,,work,deep/er,ü".utf8)).tags == ["work", "urgent", "deep/er", "ü"])
        #expect(TagList(bytes: []).tags.isEmpty)
        #expect(TagList(bytes: [0x61, 0x2C, 0xFF]).tags == ["a", "\u{FFFD}"])
    }

    @Test func comesBackAsItWasWritten() throws {
        var tags = TagList()
        #expect(tags.bytes == nil)
        for tag in ["a", "b c", "a"] { tags.add(tag) }
        #expect(try TagList(bytes: #require(tags.bytes)) == tags)
        tags.remove("a")
        #expect(tags.bytes == Array("b c".utf8))
    }

    @Test(arguments: ["", " a", "a ", "a,b", "a\nb", "\u{7F}", String(repeating: "é", count: 128)])
    func whatCannotBeWrittenIsNoTag(tag: String) {
        #expect(!TagList.isValid(tag))
    }
}
