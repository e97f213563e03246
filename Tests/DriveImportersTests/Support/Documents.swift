import CArchive
import Testing

/// Zip archives with stored parts.
enum Zip {
    static func archive(_ parts: [(name: String, bytes: [UInt8])], flags: Int = 0) -> [UInt8] {
        var bytes: [UInt8] = [], directory: [UInt8] = []
        for (name, content) in parts {
            let facts =
                little(20, 2) + little(flags, 2) + little(0, 2) + little(0, 4) + little(crc(content))
                + little(content.count) + little(content.count) + little(name.utf8.count, 2) + little(0, 2)
            directory += [0x50, 0x4B, 1, 2] + little(20, 2) + facts + little(0, 2) + little(0, 2) + little(0, 2)
            directory += little(0, 4) + little(bytes.count) + Array(name.utf8)
            bytes += [0x50, 0x4B, 3, 4] + facts + Array(name.utf8) + content
        }
        let count = little(parts.count, 2)
        let end = [0x50, 0x4B, 5, 6] + little(0, 4) + count + count
        return bytes + directory + end + little(directory.count) + little(bytes.count) + little(0, 2)
    }

    static func archive(_ parts: [(String, String)], flags: Int = 0) -> [UInt8] {
        archive(parts.map { ($0.0, Array($0.1.utf8)) }, flags: flags)
    }

    private static func crc(_ bytes: [UInt8]) -> Int {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return Int(value ^ 0xFFFF_FFFF)
    }

    /// One compressed part: a beginning, then the same piece again and again.
    static func bomb(_ name: String, start: String, piece: [UInt8], times: Int) throws -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 8 << 20)
        var used = 0
        let archive = try #require(archive_write_new())
        archive_write_set_format_zip(archive)
        archive_write_open_memory(archive, &result, result.count, &used)
        for (name, start, times) in [("[Content_Types].xml", "<Types/>", 0), (name, start, times)] {
            let entry = archive_entry_new()
            archive_entry_set_pathname(entry, name)
            archive_entry_set_filetype(entry, 0o100000)
            archive_entry_set_size(entry, Int64(start.utf8.count + piece.count * times))
            archive_write_header(archive, entry)
            archive_write_data(archive, start, start.utf8.count)
            for _ in 0..<times { archive_write_data(archive, piece, piece.count) }
            archive_entry_free(entry)
        }
        try #require(archive_write_close(archive) == ARCHIVE_OK)
        archive_write_free(archive)
        return Array(result[..<used])
    }
}

enum Office {
    static let core = """
        <?xml version="1.0" encoding="UTF-8"?><cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t">
        <dc:title>Quarterly report</dc:title><dc:subject>Figures</dc:subject><dc:creator>Ada; Grace</dc:creator>
        <cp:keywords>budget, plan</cp:keywords><dc:description>A comment</dc:description>
        <cp:lastModifiedBy>Grace</cp:lastModifiedBy><dcterms:created>2026-01-02T03:04:05Z</dcterms:created>
        <dcterms:modified>2026-02-03T04:05:06.250Z</dcterms:modified><dc:language>en-GB</dc:language>
        </cp:coreProperties>
        """

    static func document(_ parts: [(String, String)]) -> [UInt8] {
        Zip.archive([("[Content_Types].xml", "<Types/>"), ("docProps/core.xml", core)] + parts)
    }

    /// What a part refers to; of ids "r0", "r1" and so on.
    static func relationships(_ targets: [(type: String, target: String)]) -> String {
        let list = targets.enumerated().map { index, entry in
            "<Relationship Id=\"r\(index)\" Type=\"http://example/\(entry.type)\" Target=\"\(entry.target)\"/>"
        }
        return "<Relationships>\(list.joined())</Relationships>"
    }

    /// Slides in that order, of which the list names those.
    static func presentation(slides: [Int], listed ids: [Int]) -> [UInt8] {
        let list = ids.map { "<p:sldId id=\"\(256 + $0)\" r:id=\"r\($0)\"/>" }
        var parts: [(String, String)] = [
            ("docProps/app.xml", "<Properties><Slides>0</Slides></Properties>"),
            ("ppt/_rels/presentation.xml.rels", relationships((0...9).map { ("slide", "slides/slide\($0).xml") })),
        ]
        for number in slides {
            let text = "<p:sld xmlns:p=\"p\" xmlns:a=\"a\"><a:p><a:t>slide \(number)</a:t></a:p></p:sld>"
            parts.append(("ppt/slides/slide\(number).xml", text))
        }
        let start = "<p:presentation xmlns:p=\"p\" xmlns:r=\"http://example/relationships\"><p:sldIdLst>"
        parts.append(("ppt/presentation.xml", "\(start)\(list.joined())</p:sldIdLst></p:presentation>"))
        return document(parts)
    }

    static func word(_ body: String) -> [UInt8] {
        document([
            ("word/document.xml", "<w:document xmlns:w=\"w\"><w:body>\(body)</w:body></w:document>"),
            ("docProps/app.xml", "<Properties><Pages>3</Pages><Application>Writer</Application></Properties>"),
        ])
    }
}

enum OpenDocument {
    static let meta = """
        <office:document-meta xmlns:office="o" xmlns:meta="m" xmlns:dc="d"><office:meta><dc:title>Letter</dc:title>
        <meta:initial-creator>Ada</meta:initial-creator><dc:creator>Grace</dc:creator><meta:keyword>one</meta:keyword>
        <meta:keyword>two</meta:keyword><meta:creation-date>2026-01-02T03:04:05.123456789Z</meta:creation-date>
        <meta:document-statistic meta:page-count="7"/></office:meta></office:document-meta>
        """

    static func text(_ body: String, manifest: String = "<manifest/>") -> [UInt8] {
        Zip.archive([
            ("mimetype", "application/vnd.oasis.opendocument.text"), ("meta.xml", meta),
            (
                "content.xml",
                "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\"><office:body><office:text>\(body)"
                    + "</office:text></office:body></office:document-content>"
            ),
            ("META-INF/manifest.xml", manifest),
        ])
    }
}

enum PDF {
    /// One page with one line, and information about it.
    static func document(_ line: String, title: String, turn: Int = 0) -> [UInt8] {
        let stream = "BT /F1 24 Tf 20 200 Td (\(line)) Tj ET"
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Rotate \(turn) /Contents 4 0 R "
                + "/Resources << /Font << /F1 5 0 R >> >> >>",
            "<< /Length \(stream.utf8.count) >>\nstream\n\(stream)\nendstream",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            "<< /Title (\(title)) /Author (Ada) /Keywords (one, two) /CreationDate (D:20260102030405Z) >>",
        ]
        var text = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets { text += String(repeating: "0", count: 10 - "\(offset)".count) + "\(offset) 00000 n \n" }
        text += "trailer << /Size \(objects.count + 1) /Root 1 0 R /Info 6 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(text.utf8)
    }
}
