import Glibc
import TestSupport
import Testing

@testable import DriveImporters
@testable import DriveImporting
@testable import DriveTypes

@Suite struct DocumentTests {
    @Test func wordDocuments() throws {
        let found = try imported(
            Office.word(
                "<w:p><w:r><w:t>Hel</w:t></w:r><w:r><w:t>lo</w:t><w:tab/><w:t>world</w:t></w:r></w:p>"
                    + "<w:p><w:r><w:delText>gone</w:delText><w:t>Second</w:t><w:noBreakHyphen/><w:t>hand</w:t></w:r></w:p>"
            ),
            named: "a.docx")
        #expect(found.text == "Hello world\nSecond-hand")
        #expect(found.string(.title) == "Quarterly report")
        #expect(found.strings(.authors) == ["Ada", "Grace"])
        #expect(found.strings(.keywords) == ["budget", "plan"])
        #expect(found.string(.comment) == "A comment")
        #expect(found.integer(.numberOfPages) == 3)
        #expect(found.date(.contentCreationDate) == ImportedDate(seconds: 1_767_323_045))
        #expect(found.date(.contentModificationDate)?.nanoseconds == 250_000_000)
        #expect(found.string(.kind) == "document")
        #expect(found.strings(.contentTypeTree)?.contains("org.openxmlformats.openxml") == true)
    }

    @Test func readingsAndWhatWasMovedAreNoTextOfWords() throws {
        let ruby =
            "<w:r><w:ruby><w:rt><w:r><w:t>ひがし</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase>"
            + "</w:ruby></w:r>"
        let moved =
            "<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:del><w:r><w:delText>old</w:delText>"
            + "<w:noBreakHyphen/></w:r></w:del>"
        let found = try imported(
            Office.word(
                "<w:p>\(ruby)<w:r><w:t>京</w:t></w:r>\(moved)<w:moveTo><w:r><w:t>駅</w:t></w:r></w:moveTo></w:p>"),
            named: "a.docx")
        #expect(found.text == "東京駅")
    }

    /// Word writes a text box in its own form and in that of earlier programs.
    @Test func whatStandsInTwoFormsIsReadOnce() throws {
        func box(_ name: String) -> String {
            "<mc:\(name) xmlns:mc=\"m\"><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:\(name)>"
        }
        let boxes = "<w:r>\(box("Choice"))\(box("Fallback"))</w:r>"
        let found = try imported(Office.word("<w:p>\(boxes)<w:r><w:t>text</w:t></w:r></w:p>"), named: "a.docx")
        #expect(found.text == "box\ntext")
    }

    @Test func sheetsGiveSharedStringsAndNumbers() throws {
        let found = try imported(
            Office.document([
                (
                    "xl/worksheets/sheet1.xml",
                    "<worksheet><sheetData><row><c t=\"s\"><v>0</v></c><c><v>12.5</v></c>"
                        + "<c t=\"inlineStr\"><is><t>inline</t></is></c></row></sheetData></worksheet>"
                ),
                ("xl/sharedStrings.xml", "<sst><si><t>Shared</t><rPh><t>reading</t></rPh></si></sst>"),
                ("xl/workbook.xml", "<workbook><sheets><sheet name=\"R&amp;D &lt;1\"/></sheets></workbook>"),
            ]), named: "a.xlsx")
        #expect(found.text == "R&D <1\nShared\n12.5 inline")
    }

    @Test func slidesComeInTheirOrderAndNotesAfterThem() throws {
        func slide(_ text: String) -> String {
            "<p:sld xmlns:p=\"p\" xmlns:a=\"a\"><a:p><a:t>\(text)</a:t></a:p></p:sld>"
        }
        let found = try imported(
            Office.document([
                ("ppt/notesSlides/notesSlide1.xml", slide("note")), ("ppt/slides/slide10.xml", slide("ten")),
                ("ppt/slides/slide2.xml", slide("two")), ("ppt/slides/_rels/slide2.xml.rels", "<not read"),
            ]), named: "a.pptx")
        #expect(found.text == "two\nten\nnote")
    }

    /// People move slides after they were named, and those that they delete may stay in the file.
    @Test func slidesStandAsThePresentationListsThem() throws {
        func check(_ slides: [Int], listed: [Int], shown: [Int]) throws {
            let found = try imported(Office.presentation(slides: slides, listed: listed), named: "a.pptx")
            #expect(found.text == shown.map { "slide \($0)" }.joined(separator: "\n"))
            #expect(found.integer(.numberOfPages) == Int64(shown.count))
        }
        try check([1, 2, 3], listed: [3, 1, 2], shown: [3, 1, 2])
        try check([1, 2, 3], listed: [2], shown: [2])
        // A list that is empty, or names what is not there.
        try check([2, 1], listed: [], shown: [1, 2])
        try check([2, 1], listed: [3], shown: [1, 2])
    }

    @Test func sheetsStandAsTheWorkbookListsThem() throws {
        func sheet(_ number: Int) -> String { "<worksheet><row><c><v>\(number)</v></c></row></worksheet>" }
        let found = try imported(
            Office.document([
                ("xl/worksheets/sheet0.xml", sheet(0)), ("xl/worksheets/sheet1.xml", sheet(1)),
                (
                    "xl/workbook.xml",
                    "<workbook xmlns:r=\"http://example/relationships\"><sheet name=\"B\" sheetId=\"2\" r:id=\"r1\"/>"
                        + "<sheet name=\"A\" sheetId=\"1\" r:id=\"r0\"/></workbook>"
                ),
                (
                    "xl/_rels/workbook.xml.rels",
                    Office.relationships((0...1).map { ("worksheet", "/xl/worksheets/sheet\($0).xml") })
                ),
            ]), named: "a.xlsx")
        #expect(found.text == "B\nA\n1\n0")
        #expect(found.integer(.numberOfPages) == nil)
    }

    /// Programs may give any name to the parts with properties.
    @Test func propertiesAreWhereTheDocumentSaysThatTheyAre() throws {
        let core = "<c xmlns:dc=\"d\"><dc:title>Named</dc:title></c>"
        let list = Office.relationships([
            ("metadata/core-properties", "/package/services/metadata/core-properties/1f.psmdcp"),
            ("extended-properties", "properties/app.xml"),
        ])
        let parts: [(String, String)] = [
            ("[Content_Types].xml", "<Types/>"), ("package/services/metadata/core-properties/1f.psmdcp", core),
            ("_rels/.rels", list), ("properties/app.xml", "<Properties><Pages>4</Pages></Properties>"),
        ]
        for order in [parts, parts.reversed()] {
            let found = try imported(Zip.archive(order), named: "a.docx")
            #expect(found.string(.title) == "Named")
            #expect(found.integer(.numberOfPages) == 4)
        }
        // What is damaged there leaves the names that nearly all have.
        let damaged = try imported(Office.document([("_rels/.rels", "<Relationships>")]), named: "a.docx")
        #expect(damaged.string(.title) == "Quarterly report")
    }

    @Test(arguments: [
        ("slides/a.xml", "ppt", "ppt/slides/a.xml"), ("/ppt/a.xml", "ppt", "ppt/a.xml"), ("../a.xml", "ppt", "a.xml"),
        ("../../a.xml", "ppt", "a.xml"), ("./a.xml", "", "a.xml"),
    ])
    func targetsAreRelativeToTheirPart(target: String, folder: String, name: String) {
        #expect(RelationshipReader.name(of: target, in: folder) == name)
    }

    @Test func commentsOnCellsAndSlidesAreRead() throws {
        let sheet = try imported(
            Office.document([
                (
                    "xl/comments1.xml",
                    "<comments><authors><author>Ada</author></authors><commentList><comment><text><r><t>first</t></r></text>"
                        + "</comment><comment><text><t>second</t></text></comment></commentList></comments>"
                )
            ]), named: "a.xlsx")
        #expect(sheet.text == "first\nsecond")
        let slide = try imported(
            Office.document([
                (
                    "ppt/comments/comment1.xml",
                    "<p:cmLst xmlns:p=\"p\"><p:cm><p:pos/><p:text>too long</p:text></p:cm><p:cm><p:text>fine</p:text></p:cm>"
                        + "</p:cmLst>"
                )
            ]), named: "a.pptx")
        #expect(slide.text == "too long\nfine")
    }

    @Test func openDocuments() throws {
        let found = try imported(
            OpenDocument.text(
                "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h>Head</text:h>"
                    + "<text:p>One<text:s/>two<text:line-break/>three</text:p>"), named: "a.odt")
        #expect(found.text == "Head\nOne two\nthree")
        #expect(found.string(.title) == "Letter")
        #expect(found.strings(.authors) == ["Ada"])
        #expect(found.strings(.editors) == ["Grace"])
        #expect(found.strings(.keywords) == ["one", "two"])
        #expect(found.integer(.numberOfPages) == 7)
        #expect(
            found.date(.contentCreationDate) == ImportedDate(seconds: 1_767_323_045, nanoseconds: 123_456_789))
    }

    @Test func readingsDoNotPartWords() throws {
        let word = Office.word(
            "<w:p><w:r><w:ruby><w:rt><w:r><w:t>かん</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase>"
                + "</w:ruby></w:r><w:r><w:t>字</w:t></w:r></w:p>")
        #expect(try imported(word, named: "a.docx").text == "漢字")
        let ruby = "<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>かん</text:ruby-text></text:ruby>字"
        #expect(try imported(OpenDocument.text("<text:p>\(ruby)</text:p>"), named: "a.odt").text == "漢字")
    }

    @Test func flatOpenDocuments() throws {
        let flat =
            "<office:document xmlns:office=\"o\" xmlns:text=\"t\" xmlns:dc=\"d\"><office:meta><dc:title>Flat</dc:title>"
            + "</office:meta><office:body><text:p>words</text:p></office:body></office:document>"
        let found = try imported(flat, named: "a.fodt")
        #expect(found.text == "words")
        #expect(found.string(.title) == "Flat")
    }

    @Test func notesAndCommentsOfOpenDocumentsComeBehindTheText() throws {
        let note =
            "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Foot</text:p><text:p>note"
            + "</text:p></text:note-body></text:note>"
        let comment =
            "<office:annotation xmlns:dc=\"d\"><dc:creator>Linus</dc:creator><dc:date>2026-01-02T03:04:05</dc:date>"
            + "<text:p>Remark</text:p><text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>"
            + "</office:annotation>"
        let found = try imported(
            OpenDocument.text("<text:p>Two\(note)fold sen\(comment)tence</text:p><text:p>end</text:p>"), named: "a.odt")
        #expect(found.text == "Twofold sentence\nend\nFoot\nnote\nRemark\nitem")
        #expect(found.strings(.editors) == ["Grace"])
    }

    @Test func readingsAndPatternsOfIndexesAreNoText() throws {
        let ruby = "<text:ruby><text:ruby-base>東</text:ruby-base><text:ruby-text>ひがし</text:ruby-text></text:ruby>"
        let index = "<text:table-of-content-source><text:index-title-template>Contents</text:index-title-template>"
        let found = try imported(
            OpenDocument.text("<text:p>\(ruby)京</text:p>\(index)</text:table-of-content-source>"), named: "a.odt")
        #expect(found.text == "東京")
    }

    @Test func slidesOfOpenDocumentsAreCounted() throws {
        let slides =
            "<p:footer-decl>Foot</p:footer-decl><p:date-time-decl>May</p:date-time-decl>"
            + "<d:page><text:p>one</text:p></d:page>"
            + "<d:page><d:frame><d:text-box><text:p>two</text:p></d:text-box></d:frame></d:page>"
        let found = try imported(
            "<office:document xmlns:office=\"o\" xmlns:text=\"t\" xmlns:p=\"p\" xmlns:d=\"d\"><office:body>"
                + "<office:presentation>\(slides)</office:presentation></office:body></office:document>",
            named: "a.fodp")
        #expect(found.integer(.numberOfPages) == 2)
        #expect(found.text == "Foot\nMay\none\ntwo")
    }

    @Test func whatIsSaidOfAPictureIsNoPartOfAWord() throws {
        let picture =
            "<d:frame xmlns:d=\"d\" xmlns:svg=\"s\"><svg:title>Map</svg:title><svg:desc>of Bern</svg:desc></d:frame>"
        let found = try imported(OpenDocument.text("<text:p>here\(picture)there</text:p>"), named: "a.odt")
        #expect(found.text == "here Map of Bern there")
    }

    /// `text:meta` and the fields of a text have the local names of properties.
    @Test func fieldsOfATextAreNoPropertiesOfTheDocument() throws {
        let field = "<text:p>a<text:meta><text:title>Field</text:title></text:meta>b</text:p>"
        let found = try imported(OpenDocument.text(field + "<text:p>c</text:p>"), named: "a.odt")
        #expect(found.text == "aFieldb\nc")
        #expect(found.string(.title) == "Letter")

        let object =
            "<office:document><office:meta><dc:title>Chart</dc:title></office:meta><office:styles>0.00</office:styles>"
            + "<office:body><text:p>axis</text:p></office:body></office:document>"
        let flat = try imported(
            "<office:document xmlns:office=\"o\" xmlns:text=\"t\" xmlns:dc=\"d\"><office:meta><dc:title>Flat</dc:title>"
                + "</office:meta><office:master-styles>\(field)</office:master-styles><office:body><text:p>x</text:p>"
                + "\(object)<text:p>y</text:p></office:body></office:document>", named: "a.fodt")
        #expect(flat.string(.title) == "Flat")
        #expect(flat.text == "x\naxis\ny")
    }

    @Test func encryptedDocumentsSaySo() {
        let old: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 504)
        #expect(refusal(old, named: "a.docx") == .encrypted)
        let manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>"
        #expect(refusal(OpenDocument.text("\u{1}\u{2}<<", manifest: manifest), named: "a.odt") == .encrypted)
        let locked = Zip.archive(
            [("[Content_Types].xml", "<Types/>"), ("word/document.xml", "0123456789abcdef")], flags: 1)
        #expect(refusal(locked, named: "a.docx") == .encrypted)
    }

    @Test func archivesThatAreNoDocumentsAreRefused() {
        #expect(refusal(Zip.archive([("a.txt", "x")]), named: "a.docx") == .malformed)
        #expect(refusal(Zip.archive([("a.txt", "x")]), named: "a.odt") == .malformed)
        #expect(refusal(Array("plain".utf8), named: "a.docx") == .malformed)
    }

    @Test(arguments: [0.1, 0.5, 0.9, 0.99])
    func truncatedDocumentsAreRefused(share: Double) {
        for (bytes, name) in [
            (Office.word("<w:p><w:t>x</w:t></w:p>"), "a.docx"), (OpenDocument.text("<text:p>x</text:p>"), "a.odt"),
        ] {
            #expect(refusal(Array(bytes.prefix(Int(Double(bytes.count) * share))), named: name) == .malformed)
        }
    }

    @Test func archivesThatUnpackToTooMuchAreRefused() throws {
        var limits = ImportLimits()
        limits.unpackedBytes = 16 << 20
        // Elements without text: the limit of the text never comes.
        let piece = Array(String(repeating: "<a/>", count: 16_384).utf8)
        let bomb = try Zip.bomb("word/document.xml", start: "<w>", piece: piece, times: 1024)
        #expect(bomb.count < 1 << 20)
        #expect(refusal(bomb, named: "a.docx", limits: limits) == .tooLarge)
        // Text is enough after its limit, however much follows.
        let words = Array(String(repeating: "<t>word</t>", count: 8192).utf8)
        let long = try Zip.bomb("word/document.xml", start: "<w>", piece: words, times: 1024)
        let found = try imported(long, named: "a.docx", limits: limits)
        #expect(found.isTextCut)
        #expect(found.text?.utf8.count ?? 0 <= limits.textBytes)
    }

    @Test func archivesOfTooManyEntriesAreRefused() {
        var limits = ImportLimits()
        limits.entries = 100
        let parts = (0..<200).map { ("part\($0)", "") }
        #expect(refusal(Zip.archive(parts), named: "a.docx", limits: limits) == .tooLarge)
    }
}

private let hasPoppler = ImportTools.installed().pdfInfo != nil && ImportTools.installed().pdfToText != nil

@Suite(.enabled(if: hasPoppler, "pdfinfo and pdftotext are missing: install poppler-utils"))
struct PDFTests {
    @Test func pagesAndText() throws {
        let found = try imported(PDF.document("Hello Zeppelin", title: "A paper"), named: "a.pdf")
        #expect(found.text == "Hello Zeppelin")
        #expect(found.string(.title) == "A paper")
        #expect(found.strings(.authors) == ["Ada"])
        #expect(found.strings(.keywords) == ["one", "two"])
        #expect(found.integer(.numberOfPages) == 1)
        #expect(found.real(.pageWidth) == 300)
        #expect(found.date(.contentCreationDate) == ImportedDate(seconds: 1_767_323_045))
        #expect(found.string(.securityMethod) == "None")
    }

    @Test func aPageThatIsShownTurnedHasItsSidesTurned() throws {
        let found = try imported(PDF.document("Hello", title: "T", turn: 270), named: "a.pdf")
        #expect(found.real(.pageWidth) == 400 && found.real(.pageHeight) == 300)
        let upsideDown = try imported(PDF.document("Hello", title: "T", turn: 180), named: "a.pdf")
        #expect(upsideDown.real(.pageWidth) == 300 && upsideDown.real(.pageHeight) == 400)
    }

    /// What is a line of its title alone is no author, and its title has all lines.
    @Test func linesOfATextAreNoFields() throws {
        let title = "Multi\nAuthor: Eve\nKeywords:        injected\nPages: 999\nEncrypted: yes"
        let found = try imported(PDF.document("Hello", title: title), named: "a.pdf")
        #expect(found.string(.title) == "Multi Author: Eve Keywords: injected Pages: 999 Encrypted: yes")
        #expect(found.strings(.authors) == ["Ada"])
        #expect(found.strings(.keywords) == ["one", "two"])
        #expect(found.integer(.numberOfPages) == 1)
        #expect(found.string(.securityMethod) == "None")
    }

    @Test func damagedFilesAreRefused() {
        #expect(refusal(Array("%PDF-1.4\nnothing".utf8), named: "a.pdf") == .malformed)
        #expect(refusal(Array("no pdf".utf8), named: "a.pdf") == .malformed)
    }
}

@Suite(.mayBlock) struct PDFProgramTests {
    @Test func missingProgramsAreNamed() {
        let none = ImportTools(pdfInfo: nil, pdfToText: nil)
        #expect(refusal(PDF.document("x", title: "y"), named: "a.pdf", tools: none) == .unavailable)
        let gone = ImportTools(pdfInfo: "/nonexistent/pdfinfo", pdfToText: "/nonexistent/pdftotext")
        #expect(refusal(PDF.document("x", title: "y"), named: "a.pdf", tools: gone) == .unavailable)
    }

    /// Also what the program started ends, although the program itself waits for it.
    @Test func aProgramThatHangsIsEndedWithItsGroup() throws {
        let folder = try Folder()
        let hanging = try folder.program("pdfinfo", "echo $$ > \(folder.path)/pid; sleep 1000 & wait")
        var limits = ImportLimits()
        limits.programSeconds = 10
        let tools = ImportTools(pdfInfo: hanging, pdfToText: hanging)
        #expect(refusal(PDF.document("x", title: "y"), named: "a.pdf", limits: limits, tools: tools) == .interrupted)
        let file = try ImportFile.open(path: folder("pid"))
        defer { close(file.descriptor) }
        let text = String(decoding: try file.read(at: 0, count: 32), as: UTF8.self)
        let group = try #require(Int32(text.filter(\.isNumber)))
        // The group is gone, or holds only what nobody has collected yet.
        while kill(-group, 0) == 0 { usleep(1000) }
        #expect(errno == ESRCH)
    }

    @Test func aProgramThatPrintsForEverIsStopped() throws {
        let folder = try Folder()
        let information = try folder.program("pdfinfo", "printf 'Title:           \\000T\\n'")
        let endless = try folder.program("pdftotext", "yes")
        let tools = ImportTools(pdfInfo: information, pdfToText: endless)
        var limits = ImportLimits()
        limits.textBytes = 1 << 16
        let found = try imported(PDF.document("x", title: "y"), named: "a.pdf", limits: limits, tools: tools)
        #expect(found.isTextCut)
        #expect(found.text?.hasPrefix("y\ny\n") == true)
        #expect(found.string(.title) == "T")
    }

    @Test func encryptedFilesSaySo() throws {
        let folder = try Folder()
        let refusing = try folder.program("pdfinfo", "exit 1")
        let tools = ImportTools(pdfInfo: refusing, pdfToText: refusing)
        let locked = Array("%PDF-1.4\n<< /Encrypt 5 0 R >>".utf8)
        #expect(refusal(locked, named: "a.pdf", tools: tools) == .encrypted)
    }
}
