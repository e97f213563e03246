import DriveTypes

/// Types that the first bytes of a file tell.
enum Signatures {
    /// So many bytes are looked at.
    static let count = 4096

    private static let marks: [(offset: Int, mark: [UInt8], mime: String)] = [
        (0, Array("%PDF-".utf8), "application/pdf"),
        (0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
        (0, [0xFF, 0xD8, 0xFF], "image/jpeg"),
        (0, Array("GIF8".utf8), "image/gif"),
        (8, Array("WEBP".utf8), "image/webp"),
        (0, [0x49, 0x49, 0x2A, 0x00], "image/tiff"),
        (0, [0x4D, 0x4D, 0x00, 0x2A], "image/tiff"),
        (4, Array("ftypheic".utf8), "image/heif"),
        (4, Array("ftypmif1".utf8), "image/heif"),
        (4, Array("ftypavif".utf8), "image/avif"),
        (4, Array("ftypqt".utf8), "video/quicktime"),
        (4, Array("ftypM4A".utf8), "audio/mp4"),
        (4, Array("ftyp".utf8), "video/mp4"),
        (8, Array("WAVE".utf8), "audio/x-wav"),
        (8, Array("AVI ".utf8), "video/x-msvideo"),
        (0, Array("ID3".utf8), "audio/mpeg"),
        (0, Array("fLaC".utf8), "audio/flac"),
        (0, Array("OggS".utf8), "audio/ogg"),
        (0, [0x1A, 0x45, 0xDF, 0xA3], "video/x-matroska"),
        (0, Array("{\\rtf".utf8), "application/rtf"),
        (0, Array("%!PS".utf8), "application/postscript"),
        (38, Array("application/vnd.oasis.opendocument.text".utf8), "application/vnd.oasis.opendocument.text"),
        (
            38, Array("application/vnd.oasis.opendocument.spreadsheet".utf8),
            "application/vnd.oasis.opendocument.spreadsheet"
        ),
        (
            38, Array("application/vnd.oasis.opendocument.presentation".utf8),
            "application/vnd.oasis.opendocument.presentation"
        ),
        (38, Array("application/epub+zip".utf8), "application/epub+zip"),
        (0, [0x50, 0x4B, 0x03, 0x04], "application/zip"),
        (0, [0x1F, 0x8B], "application/gzip"),
        (0, Array("BZh".utf8), "application/x-bzip"),
        (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "application/x-xz"),
        (0, [0x28, 0xB5, 0x2F, 0xFD], "application/zstd"),
        (0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "application/x-7z-compressed"),
        (0, Array("Rar!".utf8), "application/vnd.rar"),
        (257, Array("ustar".utf8), "application/x-tar"),
        (0, Array("!<arch>\ndebian".utf8), "application/vnd.debian.binary-package"),
        (0, [0x7F, 0x45, 0x4C, 0x46], "application/x-executable"),
        (0, Array("SQLite format 3\0".utf8), "application/vnd.sqlite3"),
    ]

    /// Nil for what tells nothing.
    static func mime(of bytes: [UInt8]) -> String? {
        if bytes.isEmpty { return nil }
        for (offset, mark, mime) in marks where bytes.dropFirst(offset).starts(with: mark) { return mime }
        guard TextDecoder.looksLikeText(bytes) else { return nil }
        return markup(of: bytes) ?? script(of: bytes) ?? mail(of: bytes) ?? "text/plain"
    }

    private static func markup(of bytes: [UInt8]) -> String? {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let text = String(decoding: start.drop { $0 <= 0x20 }.prefix(64), as: UTF8.self).lowercased()
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return "text/html" }
        return text.hasPrefix("<?xml") ? "application/xml" : nil
    }

    /// Messages in a Maildir have names that say nothing: two fields that each has stand in its head (RFC 5322, 3.6).
    private static func mail(of bytes: [UInt8]) -> String? {
        let lines = bytes.split(separator: 0x0A, maxSplits: 200, omittingEmptySubsequences: false).prefix {
            ![[], [0x0D]].contains($0)
        }
        let isMailbox = lines.first?.starts(with: Array("From ".utf8)) == true
        var fields: Set<String> = []
        for line in lines.dropFirst(isMailbox ? 1 : 0) {
            guard let colon = line.firstIndex(of: 0x3A) else { continue }
            fields.insert(String(decoding: line[..<colon], as: UTF8.self).lowercased())
        }
        guard fields.contains("from"), fields.contains("date") else { return nil }
        return isMailbox ? "application/mbox" : "message/rfc822"
    }

    private static func script(of bytes: [UInt8]) -> String? {
        guard bytes.starts(with: Array("#!".utf8)) else { return nil }
        let line = String(decoding: bytes.prefix(128).prefix { $0 != 0x0A }, as: UTF8.self)
        for (word, mime) in [
            ("python", "text/x-python"), ("perl", "application/x-perl"), ("ruby", "application/x-ruby"),
            ("node", "text/javascript"), ("sh", "application/x-shellscript"),
        ] where line.contains(word) { return mime }
        return nil
    }
}

extension ContentTypes {
    /// By its name, and by its first bytes where the name says nothing.
    public func type(name: [UInt8], firstBytes: [UInt8]) -> ContentType {
        type(name: name) ?? type(mime: Signatures.mime(of: firstBytes) ?? "application/octet-stream")
    }
}
