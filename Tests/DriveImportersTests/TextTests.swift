import Testing

@testable import DriveImporters
@testable import DriveImporting

@Suite struct TextTests {
    private static let line = "Zürich 東京"
    private static let marked: [String: [UInt8]] = [
        "UTF-8": Array(line.utf8),
        "UTF-8 with a mark": [0xEF, 0xBB, 0xBF] + Array(line.utf8),
        "UTF-16LE": [0xFF, 0xFE] + line.utf16.flatMap { little(Int($0), 2) },
        "UTF-16BE": [0xFE, 0xFF] + line.utf16.flatMap { big(Int($0), 2) },
        "UTF-32LE": [0xFF, 0xFE, 0, 0] + line.unicodeScalars.flatMap { little(Int($0.value)) },
    ]

    @Test(arguments: marked.keys.sorted())
    func encodingsAreKnownByTheirMarks(name: String) throws {
        #expect(try imported(#require(Self.marked[name]), named: "a.txt").text == Self.line)
    }

    @Test func encodingsWithoutAMarkAreGuessed() throws {
        let wide = "A longer line of plain letters".utf16.flatMap { little(Int($0), 2) }
        #expect(try imported(wide, named: "a.txt").text == "A longer line of plain letters")
        let german = "Die Straße führt nach Zürich, schön und groß."
        let latin = german.unicodeScalars.map { UInt8($0.value) }
        #expect(try imported(latin, named: "a.txt").text == german)
        // "Съешь же ещё этих мягких французских булок" in KOI8-R.
        let russian = try #require(koi8("Съешь же ещё этих мягких французских булок, да выпей чаю"))
        #expect(
            try imported(russian, named: "a.txt").text == "Съешь же ещё этих мягких французских булок, да выпей чаю")
    }

    /// No byte of it is above ASCII.
    @Test func wideTextIsNoUTF8() throws {
        let line = "Plan – Budget"
        for bytes in [line.utf16.flatMap { little(Int($0), 2) }, line.utf16.flatMap { big(Int($0), 2) }] {
            #expect(try imported(bytes, named: "a.txt").text == line)
        }
        let page = "<title>Plan</title><p>Plan – <b>Bud</b>get".utf16.flatMap { little(Int($0), 2) }
        let found = try imported(page, named: "a.html")
        #expect(found.string(.title) == "Plan" && found.text == "Plan\nPlan – Budget")
    }

    @Test func escapeSequencesTellTheirEncoding() throws {
        let japanese = "\u{1B}$B$3$l$O\u{1B}(B 2026\n"
        #expect(try imported(japanese, named: "a.txt").text == "これは 2026")
        #expect(try imported("<meta charset=iso-2022-jp><p>" + japanese, named: "a.html").text == "これは 2026")
        #expect(try imported("\u{1B}(I123\u{1B}(B", named: "a.txt").text == "ｱｲｳ")
        #expect(try imported("\u{1B}$)C\n\u{E}0!\u{F}\n", named: "a.txt").text == "가")
        // A terminal's.
        #expect(try imported("\u{1B}(B\u{1B}[mdone für", named: "a.log").text == "(B[mdone für")
        #expect(try imported("\u{1B}(B\u{1B}[mdone", named: "a.log").text == "(B[mdone")
    }

    /// As in a log that another program wrote into, or a file that was cut and joined.
    @Test(arguments: ["Überschrift Straße naïve café\n", "Мы живём здесь\n", "名前は猫です\n"])
    func aStrayByteDoesNotMakeItAnotherEncoding(_ line: String) throws {
        let lines = [UInt8](String(repeating: line, count: 100).utf8)
        let text = try #require(try imported(lines + [0xE4] + lines, named: "a.log").text)
        #expect(text.hasPrefix(line) && text.contains("\u{FFFD}\(line)"))
    }

    /// Of Hebrew and Vietnamese a letter is held back for the mark that may follow.
    @Test func theLastLetterOfATextIsKept() throws {
        let hebrew = "ירושלים היא עיר הבירה של מדינת ישראל והעיר הגדולה ביותר בה שלום"
        let bytes = hebrew.unicodeScalars.map { UInt8($0.value < 0x80 ? $0.value : $0.value - 0x5D0 + 0xE0) }
        #expect(TextDecoder.convert(bytes, from: "WINDOWS-1255") == hebrew)
        #expect(try imported(bytes, named: "a.txt").text == hebrew)
        for encoding in ["WINDOWS-1258", "TCVN"] {
            #expect(TextDecoder.convert(Array("Viet Nam a".utf8), from: encoding) == "Viet Nam a", "\(encoding)")
        }
        // More than fits into the room for one call.
        let long = [UInt8](repeating: 0xE0, count: 100_000)
        #expect(TextDecoder.convert(long, from: "WINDOWS-1255") == String(repeating: "א", count: 100_000))
    }

    /// Bytes that the standard of the name does not have, and that programs write all the same.
    private static let labelled: [(label: String, bytes: [UInt8], text: String)] = [
        ("iso-8859-1", [0x69, 0x74, 0x92, 0x73, 0x20, 0x93, 0x71, 0x94, 0x20, 0x80, 0x35], "it’s “q” €5"),
        ("ISO-8859-9", [0x93, 0xFE, 0x94], "“ş”"),
        ("tis-620", [0x93, 0xA1, 0x94], "“ก”"),
        ("gb2312", [0xD6, 0xEC, 0xE9, 0x46, 0xBB, 0xF9], "朱镕基"),
        ("ks_c_5601-1987", [0x8C, 0x63, 0xB9, 0xE6, 0xB0, 0xA2], "똠방각"),
        ("EUC-KR", [0x8C, 0x63], "똠"),
        ("shift_jis", [0x87, 0x40, 0x94, 0xD4, 0x82, 0xCC, 0xEE, 0xE0, 0x8B, 0xB4], "①番の髙橋"),
        ("x-sjis", Array("~/home C:\\temp".utf8) + [0x82, 0xA9], "~/home C:\\tempか"),
        ("x-euc-jp", [0xA4, 0xAB, 0xAD, 0xA1], "か①"),
        ("iso-8859-8-i", [0xF9, 0xEC, 0xE5, 0xED], "שלום"),
        ("x-x-big5", [0xA4, 0xA4, 0xF9, 0xD6], "中碁"),
    ]

    @Test(arguments: labelled.indices) func labelsMeanWhatProgramsWrite(index: Int) throws {
        let (label, bytes, text) = Self.labelled[index]
        #expect(TextDecoder.decode(bytes, charset: label, isCut: false) == text)
        let page = Array("<meta charset=\"\(label)\"><p>".utf8) + bytes
        #expect(try imported(page, named: "a.html").text == text)
        let head = "From: a@x\nSubject: s\nContent-Type: text/plain; charset=\"\(label)\"\n\n"
        #expect(try imported(Array(head.utf8) + bytes, named: "a.eml").text?.hasSuffix("\n" + text) == true)
    }

    @Test func iconvKnowsWhatLabelsStandFor() {
        for encoding in Charsets.labels.keys {
            #expect(TextDecoder.convert([0x61, 0x61], from: encoding) != nil, "\(encoding)")
        }
    }

    /// What is guessed is as loose a name as what is declared.
    @Test func guessesMeanWhatProgramsWrite() throws {
        // "設定は~/homeとC:\temp" in Shift_JIS.
        let sentence: [UInt8] =
            [0x90, 0xDD, 0x92, 0xE8, 0x82, 0xCD] + Array("~/home".utf8) + [0x82, 0xC6] + Array("C:\\temp".utf8)
        let lines = [UInt8](Array(repeating: sentence + [0x0A], count: 20).joined())
        let text = try #require(try imported(lines, named: "a.txt").text)
        #expect(text.hasPrefix("設定は~/homeとC:\\temp\n"))
    }

    /// As a program writes that cuts texts after so many units.
    @Test(arguments: [true, false]) func aLoneUnitSpoilsNothingElse(isLittle: Bool) throws {
        let units = Array("Anfang ".utf16) + [0xD83D] + Array(" danach … Kennwort".utf16)
        let bytes = [0xFEFF].map(UInt16.init) + units
        let text = try imported(bytes.flatMap { isLittle ? little(Int($0), 2) : big(Int($0), 2) }, named: "a.txt").text
        #expect(text == "Anfang \u{FFFD} danach … Kennwort")
    }

    /// Terminals and printers know such sequences too; Japanese goes back to ASCII.
    @Test func anEscapeSequenceAloneIsNoEncoding() throws {
        let plain = try #require(try imported("PS1=\u{1B}$BILD ready", named: "a.txt").text)
        #expect(plain.hasSuffix("BILD ready"))
        #expect(try imported("\u{1B}$B8@\u{1B}(B", named: "a.txt").text == "言")
    }

    private func koi8(_ text: String) -> [UInt8]? {
        // The second half of KOI8-R from 0xC0 on, and its two letters apart.
        let table = Array("юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ")
        var bytes: [UInt8] = []
        for character in text {
            if let index = table.firstIndex(of: character) {
                bytes.append(UInt8(0xC0 + index))
            } else if character == "ё" {
                bytes.append(0xA3)
            } else if let ascii = character.asciiValue {
                bytes.append(ascii)
            } else {
                return nil
            }
        }
        return bytes
    }

    @Test func bytesThatAreNoTextAreRefused() {
        var noise = Noise(1)
        #expect(refusal(noise.bytes(4096), named: "a.txt") == .malformed)
        #expect(refusal([UInt8](repeating: 0, count: 4096), named: "a.swift") == .malformed)
    }

    @Test func longTextIsCutAtACharacter() throws {
        var limits = ImportLimits()
        limits.textBytes = 10
        let cut = try imported("äöüäöüäöü", named: "a.txt", limits: limits)
        #expect(cut.isTextCut)
        let text = try #require(cut.text)
        #expect(text.utf8.count <= 10 && !text.isEmpty && "äöüäöüäöü".hasPrefix(text))
        #expect(try imported("0123456789", named: "a.txt", limits: limits).isTextCut == false)
        // One letter with its mark stays whole or goes.
        limits.textBytes = 2
        #expect(try imported("ae\u{301}", named: "a.txt", limits: limits).text == "a")
    }

    @Test func controlCharactersAreLeftOut() throws {
        let text = "a\u{1}b\u{7F}\tc" + String(repeating: " word", count: 100)
        #expect(try imported(text, named: "a.txt").text?.hasPrefix("ab c word") == true)
    }

    @Test func emptyFilesHaveNoTextAndNoFailure() throws {
        for name in ["a.txt", "a.html", "a.docx", "a.pdf", "a.png", "a.mp3"] {
            #expect(try imported([], named: name).text == nil)
        }
    }

    @Test func markdownHasTheTitleOfItsHeadingOrFrontMatter() throws {
        #expect(try imported("\nSome words.\n\n## The heading ##\n", named: "a.md").string(.title) == "The heading")
        #expect(try imported("Title\n=====\n# Later\n", named: "a.md").string(.title) == "Title")
        #expect(try imported("```\n# code\n```\n# Real\n", named: "a.md").string(.title) == "Real")
        let front = """
            ---
            title: "A plan"
            author: Ada
            tags: [one, 'two']
            keywords:
              - three
            date: 2026-01-02T00:00:00Z
            ---
            # Not this
            """
        let found = try imported(front, named: "a.md")
        #expect(found.string(.title) == "A plan")
        #expect(found.strings(.authors) == ["Ada"])
        #expect(found.strings(.keywords) == ["one", "two", "three"])
        #expect(found.date(.contentCreationDate)?.seconds == 1_767_312_000)
        #expect(found.text?.contains("Not this") == true)
    }

    @Test func attributesAreTrimmedAndBounded() throws {
        var limits = ImportLimits()
        limits.attributeBytes = 8
        let found = try imported("#   A very long heading", named: "a.md", limits: limits)
        let title = try #require(found.string(.title))
        #expect(title.utf8.count <= 8 && "A very long heading".hasPrefix(title))
    }

    @Test func datesKeepTheirFractionsAndZones() {
        #expect(
            DateText.parse("2026-01-02T03:04:05.5Z") == ImportedDate(seconds: 1_767_323_045, nanoseconds: 500_000_000))
        #expect(DateText.parse("2026-01-02T03:04:05+01:30")?.seconds == 1_767_317_645)
        #expect(DateText.parse("2026-01-02T03:04:05-01")?.seconds == 1_767_326_645)
        for text in ["2026-01-02 03:04:05 +0130", "2026-01-02 03:04:05.5 +01:30", "2026-01-02T03:04:05+0130"] {
            #expect(DateText.parse(text)?.seconds == 1_767_317_645, "\(text)")
        }
        for text in ["2026-01-02 03:04:05 UTC", "2026-01-02 03:04:05 Z", "2026-01-02 03:04:05 GMT"] {
            #expect(DateText.parse(text)?.seconds == 1_767_323_045, "\(text)")
        }
        for text in ["", "2026", "2026-13-01", "20260102", "2026-01-02T99:00", "x2026-01-02"] {
            #expect(DateText.parse(text) == nil, "\(text)")
        }
    }
}
