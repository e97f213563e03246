import Testing

@testable import DriveImporters

@Suite struct PDFInformationTests {
    /// A line of the program, with a text of the document in UTF-16 or with words of its own.
    private static func line(_ key: String, text: String) -> [UInt8] {
        label(key) + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } + [0x0A]
    }

    private static func line(_ key: String, _ words: String) -> [UInt8] { label(key) + Array("\(words)\n".utf8) }

    private static func label(_ key: String) -> [UInt8] {
        Array("\(key):".utf8) + [UInt8](repeating: 0x20, count: 16 - key.utf8.count)
    }

    private static let rest = line("Tagged", "no") + line("Pages", "1") + line("Encrypted", "no")
    private static let restFields = ["Tagged=no", "Pages=1", "Encrypted=no"]

    static let cases: [(printed: [UInt8], expected: [String])] = [
        ([], []),
        (line("Title", text: "Just"), ["Title=Just"]),
        // Lines that look like fields, at the front, in the middle and without a field of that name behind them.
        (
            line("Title", text: "Just\nAuthor: Eve") + line("Subject", text: "\nPages: 999\n")
                + line("Author", text: "Ada"),
            ["Title=Just\nAuthor: Eve", "Subject=\nPages: 999\n", "Author=Ada"]
        ),
        (line("Title", text: "A\nAuthor:          Eve"), ["Title=A\nAuthor:          Eve"]),
        (line("Producer", text: "P\nEncrypted:       yes"), ["Producer=P\nEncrypted:       yes"]),
        // Characters that have the bytes of a line end.
        (
            line("Title", text: "\u{0A0A}\u{0A41}\u{010A}A") + line("Author", text: "😀"),
            ["Title=\u{0A0A}\u{0A41}\u{010A}A", "Author=😀"]
        ),
        (line("Title", text: "") + line("Creator", text: ""), ["Title=", "Creator="]),
        // Dates are words of the program, or texts where they are none.
        (
            line("CreationDate", "2026-01-02T03:04:05Z") + line("ModDate", text: "soon\nPages: 2"),
            ["CreationDate=2026-01-02T03:04:05Z", "ModDate=soon\nPages: 2"]
        ),
    ]

    @Test(arguments: cases)
    func textsAndOwnWordsAreToldApart(printed: [UInt8], expected: [String]) {
        let fields = PDFInformation.fields(printed + Self.rest).map { "\($0.key)=\($0.value)" }
        #expect(fields == expected + Self.restFields)
    }

    @Test func outputThatIsCutGivesWhatCame() {
        let whole = Self.line("Title", text: "Just") + Self.line("Author", text: "Ada")
        for length in 0..<whole.count { _ = PDFInformation.fields(Array(whole.prefix(length))) }
        let cut = PDFInformation.fields(Array(whole.dropLast(3)))
        #expect(cut.map { "\($0.key)=\($0.value)" } == ["Title=Just", "Author=Ad"])
    }
}
