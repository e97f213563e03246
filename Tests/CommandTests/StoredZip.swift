import Foundation

/// A zip archive of files as they are, for documents that are archives.
struct StoredZip {
    private var body: [UInt8] = []
    private var directory: [UInt8] = []
    private var count: UInt16 = 0

    init(_ files: [(name: String, text: String)]) {
        for (name, text) in files { add(Array(name.utf8), Array(text.utf8)) }
    }

    var data: Data {
        var end: [UInt8] = Array("PK\u{5}\u{6}".utf8) + [0, 0, 0, 0]
        end += bytes(count) + bytes(count) + bytes(UInt32(directory.count)) + bytes(UInt32(body.count)) + [0, 0]
        return Data(body + directory + end)
    }

    private mutating func add(_ name: [UInt8], _ content: [UInt8]) {
        let facts =
            bytes(UInt16(0)) + bytes(UInt16(0)) + bytes(UInt16(0)) + bytes(UInt16(0x21)) + bytes(Self.checksum(content))
            + bytes(UInt32(content.count)) + bytes(UInt32(content.count)) + bytes(UInt16(name.count)) + [0, 0]
        let offset = bytes(UInt32(body.count))
        body += Array("PK\u{3}\u{4}".utf8) + [20, 0] + facts + name + content
        directory += Array("PK\u{1}\u{2}".utf8) + [20, 0, 20, 0] + facts
        directory += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + offset + name
        count += 1
    }

    private func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// CRC-32 as zip has it.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = .max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    static func word(_ text: String, title: String) -> StoredZip {
        StoredZip([
            (
                "[Content_Types].xml",
                #"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#
            ),
            (
                "word/document.xml",
                #"<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>"#
                    + "<w:p><w:r><w:t>\(text)</w:t></w:r></w:p></w:body></w:document>"
            ),
            (
                "docProps/core.xml",
                #"<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" "#
                    + #"xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>\#(title)</dc:title></cp:coreProperties>"#
            ),
        ])
    }

    static func openText(_ text: String, author: String) -> StoredZip {
        let names =
            #"xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" "#
            + #"xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" "#
            + #"xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/""#
        return StoredZip([
            ("mimetype", "application/vnd.oasis.opendocument.text"),
            (
                "content.xml",
                "<office:document-content \(names)><office:body><office:text><text:p>\(text)</text:p></office:text>"
                    + "</office:body></office:document-content>"
            ),
            (
                "meta.xml",
                "<office:document-meta \(names)><office:meta><meta:initial-creator>\(author)</meta:initial-creator>"
                    + "<dc:creator>\(author)</dc:creator><meta:document-statistic meta:page-count=\"7\"/></office:meta>"
                    + "</office:document-meta>"
            ),
        ])
    }
}
