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

    /// What programs wrote before UTF-8: two of them may look the same.
    @Test func whatIsNoTextStaysAsItIs() {
        let bytes: [UInt8] = Array("Gr".utf8) + [0xF6, 0xDF, 0x2C, 0xE4, 0x2C, 0xF6, 0x2C] + Array("work".utf8)
        var tags = TagList(bytes: bytes)
        #expect(tags.bytes == bytes)
        tags.add("urgent")
        tags.remove("\u{FFFD}")
        tags.remove("work")
        #expect(tags.bytes == Array(bytes.dropLast(4)) + Array("urgent".utf8))
        #expect(tags.tags == ["Gr\u{FFFD}\u{FFFD}", "\u{FFFD}", "\u{FFFD}", "urgent"])
        #expect(tags.texts == ["urgent"])
        #expect(TagList(bytes: [0x20, 0xF6, 0x20, 0x2C, 0xF6]).bytes == [0xF6])
    }

    @Test(arguments: ["", " a", "a ", "a,b", "a\nb", "\u{7F}", String(repeating: "é", count: 128)])
    func whatCannotBeWrittenIsNoTag(tag: String) {
        #expect(!TagList.isValid(tag))
    }
}
