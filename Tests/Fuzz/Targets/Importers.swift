import CLinux
import Glibc

@testable import DriveImporters
@testable import DriveImporting
@testable import DriveTypes

extension FuzzTarget {
    /// Text of any encoding, and Markdown.
    static let importText = FuzzTarget(name: "import-text", run: Imports.text, seeds: Imports.texts)
    /// HTML and XML.
    static let importMarkup = FuzzTarget(name: "import-markup", run: Imports.markup, seeds: Imports.markups)
    /// Office and OpenDocument files, from the archive on.
    static let importArchives = FuzzTarget(name: "import-archives", run: Imports.archive, seeds: Imports.archives)
    /// The parts of such files, in archives that are sound.
    static let importParts = FuzzTarget(name: "import-parts", run: Imports.part, seeds: Imports.parts)
    /// Images and movies, which their first bytes tell apart.
    static let importImages = FuzzTarget(name: "import-images", run: Imports.image, seeds: Imports.images)
    static let importAudio = FuzzTarget(name: "import-audio", run: Imports.audio, seeds: Imports.sounds)
    /// A message, and an mbox.
    static let importMail = FuzzTarget(name: "import-mail", run: Imports.mail, seeds: Imports.mails)
    /// What goes between the pool and its workers.
    static let importFrames = FuzzTarget(name: "import-frames", run: Imports.frame, seeds: Imports.frames)
    /// The database of MIME types.
    static let importGlobs = FuzzTarget(name: "import-globs", run: Imports.globs, seeds: Imports.globLists)
}

private enum Imports {
    private static var limits: ImportLimits {
        var limits = ImportLimits()
        limits.textBytes = 4096
        limits.attributeBytes = 256
        limits.unpackedBytes = 1 << 20
        limits.entries = 256
        return limits
    }

    private static func check(_ bytes: [UInt8], _ mimes: String...) throws {
        let descriptor = dd_import_memory_file(bytes, bytes.count)
        try require(descriptor >= 0, "a file in memory can be made")
        defer { close(descriptor) }
        let types = ContentTypes(database: nil)
        let importers = Importers(tools: ImportTools(pdfInfo: nil, pdfToText: nil), contentTypes: types)
        for mime in mimes {
            let type = types.type(mime: mime)
            let found = try? importers.import(
                from: ImportFile(descriptor: descriptor), name: [], type: type, limits: limits)
            if let found { try check(found) }
        }
    }

    private static func check(_ found: ImportedMetadata) throws {
        try require(found.text?.utf8.count ?? 0 <= limits.textBytes, "no text is longer than its limit")
        try require(found.text?.utf8.contains(0) != true, "no text holds a NUL")
        for value in found.attributes.values {
            switch value {
            case .string(let text): try require(text.utf8.count <= limits.attributeBytes, "no attribute is longer")
            case .strings(let list): try require(list.count <= ImportLimits.listCount, "no list is longer")
            case .real(let number): try require(number.isFinite, "numbers are numbers")
            default: break
            }
        }
        let reply = ImportReply(number: 1, result: .success(found))
        try require(try ImportReply(reply.encoded) == reply, "what was found comes over the channel as it was")
    }

    static func text(_ bytes: [UInt8]) throws { try check(bytes, "text/plain", "text/markdown") }

    static func texts() -> [[UInt8]] {
        let plain = ["Zürich 東京\n", "---\ntitle: 'A'\ntags: [a, b]\n---\n# Head\n", "# One #\n", "Two\n===\n"]
        return plain.map { Array($0.utf8) } + [
            [0xFF, 0xFE, 0x41, 0, 0x42, 0], [0x5A, 0xFC, 0x72, 0x69, 0x63, 0x68, 0xE9],
        ]
    }

    static func markup(_ bytes: [UInt8]) throws { try check(bytes, "text/html", "application/xml") }

    static func markups() -> [[UInt8]] {
        [
            "<html lang=a><title>T</title><meta name=author content=A><p>a<b>b</b><pre> c </pre><img alt=d>&eacute;",
            "<meta charset=windows-1251><script>x</script><td>\u{1}", "<a><title>t</title>&#228;<![CDATA[x]]></a>",
            "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>",
        ].map { Array($0.utf8) }
    }

    private static let office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    private static let openDocument = "application/vnd.oasis.opendocument.text"

    static func archive(_ bytes: [UInt8]) throws { try check(bytes, office, openDocument) }

    static func archives() -> [[UInt8]] { parts().map(zipped) }

    private static let names = [
        "docProps/core.xml", "docProps/app.xml", "word/document.xml", "xl/sharedStrings.xml",
        "xl/worksheets/sheet1.xml", "ppt/slides/slide12.xml", "meta.xml", "content.xml", "META-INF/manifest.xml",
    ]

    static func part(_ bytes: [UInt8]) throws { try check(zipped(bytes), office, openDocument) }

    static func parts() -> [[UInt8]] {
        let texts = [
            "<c><title>T</title><creator>A;B</creator><created>2026-01-02T03:04:05.5Z</created></c>",
            "<p><Pages>3</Pages><Application>x</Application></p>",
            "<w:d xmlns:w='w'><w:p><w:t>a</w:t><w:tab/></w:p></w:d>", "<sst><si><t>a</t><rPh><t>b</t></rPh></si></sst>",
            "<s><row><c t='s'><v>0</v></c><c><v>1</v></c></row></s>", "<s><p><t>a</t></p></s>",
            "<m><meta><title>T</title><keyword>k</keyword><document-statistic page-count='2'/></meta></m>",
            "<c><body><h>a</h><p>b<s/>c<line-break/></p></body></c>", "<m><encryption-data/></m>",
        ]
        return texts.enumerated().map { [UInt8($0.offset)] + Array($0.element.utf8) }
    }

    /// An archive of one part, named by the first byte, and of what makes it a document.
    private static func zipped(_ bytes: [UInt8]) -> [UInt8] {
        var input = FuzzInput(bytes)
        let name = names[input.choice(names.count)]
        return archive([("[Content_Types].xml", []), (name, input.remainder()), ("content.xml", Array("<c/>".utf8))])
    }

    private static func archive(_ parts: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        var bytes: [UInt8] = [], directory: [UInt8] = []
        for (name, content) in parts {
            let facts =
                little(20, 2) + little(0, 8) + little(checksum(content), 4) + little(content.count, 4)
                + little(content.count, 4) + little(name.utf8.count, 2) + little(0, 2)
            directory += [0x50, 0x4B, 1, 2, 20, 0] + facts + little(0, 10) + little(bytes.count, 4) + Array(name.utf8)
            bytes += [0x50, 0x4B, 3, 4] + facts + Array(name.utf8) + content
        }
        let end = [0x50, 0x4B, 5, 6] + little(0, 4) + little(parts.count, 2) + little(parts.count, 2)
        return bytes + directory + end + little(directory.count, 4) + little(bytes.count, 4) + little(0, 2)
    }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return Int(value ^ 0xFFFF_FFFF)
    }

    static func image(_ bytes: [UInt8]) throws { try check(bytes, "image/png", "video/mp4") }

    static func images() -> [[UInt8]] {
        let exif = joined(
            Array("Exif\0\0II*\0".utf8),
            [8, 0, 0, 0, 1, 0, 15, 1, 2, 0, 2, 0, 0, 0, 65, 0, 0, 0, 0, 0, 0, 0])
        let jpeg = joined(
            [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)],
            exif)
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 9, 0, 8, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2]
        let png = joined(
            [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13],
            Array("IHDR".utf8),
            [0, 0, 0, 2, 0, 0, 0, 3, 8, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9],
            Array("tEXtTitle\0abc".utf8))
        let webp = Array("RIFF\u{16}\0\0\0WEBPVP8X\u{A}\0\0\0\u{10}\0\0\0\u{1}\0\0\u{2}\0\0".utf8)
        let tiff = joined(
            Array("II*\0".utf8),
            [8, 0, 0, 0, 1, 0, 0, 1, 3, 0, 1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0])
        let heif = joined(
            [0, 0, 0, 12],
            Array("ftypheic".utf8),
            [0, 0, 0, 48],
            Array("meta".utf8),
            [0, 0, 0, 0, 0, 0, 0, 36],
            Array("iprp".utf8),
            [0, 0, 0, 28],
            Array("ipco".utf8),
            [0, 0, 0, 20],
            Array("ispe".utf8),
            [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0])
        let movie = joined(
            [0, 0, 0, 12],
            Array("ftypisom".utf8),
            [0, 0, 0, 36],
            Array("moov".utf8),
            [0, 0, 0, 28],
            Array("mvhd".utf8),
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 88, 0, 0, 5, 220])
        return [jpeg + frame, png, Array("GIF89a".utf8) + [1, 0, 2, 0], webp, tiff, heif, movie]
    }

    static func mail(_ bytes: [UInt8]) throws { try check(bytes, "message/rfc822", "application/mbox") }

    static func mails() -> [[UInt8]] { [letter, parts(of: "b"), box].map { Array($0.utf8) } }

    private static let letter = """
        From: =?utf-8?q?J=C3=BCrgen?= <j@x>
        To: a@x, g: b@x, c@x;
        Subject: =?utf-8?B?w6Q=?=
        Date: Fri, 27 Nov 2026 10:00:00 +0100
        Content-Type: text/plain; charset=iso-8859-1
        Content-Transfer-Encoding: quoted-printable

        f=FCr=
         dich

        """

    private static func parts(of boundary: String) -> String {
        """
        Subject: a
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary=\(boundary)

        --\(boundary)

        plain
        --\(boundary)
        Content-Type: text/html
        Content-Transfer-Encoding: base64

        PGI+eDwvYj4=
        --\(boundary)
        Content-Type: message/rfc822

        Subject: c

        d
        --\(boundary)
        Content-Disposition: attachment; filename*=utf-8''%e2%82%ac.bin
        Content-Type: application/octet-stream

        x
        --\(boundary)--

        """
    }

    private static let box = """
        From a Fri Nov 27 10:00:00 2026
        From: a@x

        >From b

        From c Fri Nov 27 10:00:00 2026
        To: d@x

        e

        """

    static func audio(_ bytes: [UInt8]) throws { try check(bytes, "audio/mpeg") }

    static func sounds() -> [[UInt8]] {
        let silence = [UInt8](repeating: 0, count: 413)
        let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + silence
        let tag = joined(
            Array("ID3".utf8),
            [4, 0, 0, 0, 0, 0, 13],
            Array("TIT2".utf8),
            [0, 0, 0, 3, 0, 0, 3, 65, 66])
        let stream: [UInt8] = [16, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0x0A, 0xC4, 0x42, 0xF0, 0, 0, 0xAC, 0x44]
        let flac = joined(
            Array("fLaC".utf8),
            [0x80, 0, 0, 34],
            stream,
            [UInt8](repeating: 0, count: 16))
        let wav = joined(
            Array("RIFF".utf8),
            [40, 0, 0, 0],
            Array("WAVEfmt ".utf8),
            [16, 0, 0, 0, 1, 0, 1, 0, 64, 31, 0, 0, 64, 31, 0, 0, 1, 0, 8, 0],
            Array("data".utf8),
            [4, 0, 0, 0, 1, 2, 3, 4])
        let ogg = joined(
            Array("OggS".utf8),
            [0, 2],
            [UInt8](repeating: 0, count: 20),
            [1, 30, 1],
            Array("vorbis".utf8))
        return [tag + frame + frame, flac, wav, ogg]
    }

    static func frame(_ bytes: [UInt8]) throws {
        if let reply = try? ImportReply(bytes) {
            try require(try ImportReply(reply.encoded) == reply, "a reply comes back as it was")
        }
        if let request = try? ImportRequest(bytes) {
            try require(request.encoded == bytes, "a request has one form")
        }
    }

    static func frames() -> [[UInt8]] {
        var metadata = ImportedMetadata(text: "words", isTextCut: true)
        metadata[.title] = .string("T")
        metadata[.duration] = .real(1.5)
        metadata[.numberOfPages] = .integer(-1)
        metadata[.keywords] = .strings(["a", "b"])
        metadata[.contentCreationDate] = .date(ImportedDate(seconds: 5, nanoseconds: 6))
        let request = ImportRequest(
            number: 7, path: [0x2F, 0xFF], mime: "text/plain", limits: limits,
            tools: ImportTools(pdfInfo: "/usr/bin/pdfinfo", pdfToText: nil), lifeSeconds: 25)
        return [
            request.encoded, ImportReply(number: 7, result: .success(metadata)).encoded,
            ImportReply(number: 7, result: .failure(ImportFailure(.encrypted, "it is encrypted"))).encoded,
        ]
    }

    /// A name, then lines of globs and, after an empty line, of subclasses.
    static func globs(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let name = input.bytes()
        let lists = input.remainder().split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let database = MIMEDatabase(globs: Array(lists[0]), subclasses: Array(lists.dropFirst().first ?? []))
        let type = ContentTypes(database: database).type(name: name, firstBytes: name)
        try require(type.tree.first == type.identifier, "a tree begins with the type")
        try require(!type.kind.isEmpty && !type.mime.isEmpty, "every file has a kind and a MIME type")
        for row in TypeTree.shared.rows.values where type.identifier == row.identifier {
            try require(type.kind == row.kind, "a known type has its own kind")
        }
    }

    static func globLists() -> [[UInt8]] {
        let lists =
            "50:text/x-a:*.a\n80:x/b:*.tar.b:cs\n10:x/c:readme*\n50:x/d:[ab]?\0x/b x/c\nx/c x/b\nx/d text/plain\n"
        return ["x.a", "X.TAR.B", "README.x", "b1", "a.pdf"].map { measured(Array($0.utf8)) + Array(lists.utf8) }
    }
}

/// One after the other; long sums of literals take the compiler minutes.
private func joined(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }
