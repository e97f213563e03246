import CUchardet

/// Turns bytes of an unknown encoding into text.
enum TextDecoder {
    /// Looked at in this order: a byte order mark, UTF-16 by its zeros, what escape sequences tell, UTF-8, what the document
    /// declares, UTF-8 with a few stray bytes, and then the statistics of uchardet. `isCut` says that the last character may lack bytes. Nil for what is no text.
    static func decode(_ bytes: [UInt8], declared: String? = nil, isCut: Bool = false) -> String? {
        if let (encoding, length) = mark(of: bytes) {
            return convert(Array(bytes.dropFirst(length)), from: encoding)
        }
        // Of these no byte need be above ASCII: they would be UTF-8 too.
        if let encoding = wide(bytes) { return convert(bytes, from: encoding) }
        if let encoding = escaped(bytes) { return convert(bytes, from: encoding) }
        if let text = utf8(bytes, isCut: isCut) { return looksLikeText(bytes) ? text : nil }
        guard looksLikeText(bytes) else { return nil }
        if let declared, isName(declared), !isUnicode(declared), let text = convert(bytes, labelled: declared) {
            return text
        }
        if let text = mostlyUTF8(bytes) { return text }
        return convert(bytes, labelled: guess(bytes)) ?? convert(bytes, from: "WINDOWS-1252")
    }

    /// As `decode` where something outside of the bytes, as the header of a mail, says how they are written: then that counts
    /// before what they say themselves.
    static func decode(_ bytes: [UInt8], charset: String?, declared: String? = nil, isCut: Bool) -> String? {
        if let charset, isName(charset), !plainNames.contains(charset.lowercased()),
            let text = convert(bytes, labelled: charset)
        {
            return text
        }
        return decode(bytes, declared: declared, isCut: isCut)
    }

    private static func convert(_ bytes: [UInt8], labelled label: String) -> String? {
        convert(bytes, from: Charsets.encoding(label))
    }

    /// It is none of these, or would have been found to be: what is read in a document as ASCII is not written in two bytes a letter.
    private static func isUnicode(_ label: String) -> Bool {
        let encoding = Charsets.encoding(label).lowercased()
        return ["utf", "ucs", "unicode"].contains(where: encoding.hasPrefix)
    }

    /// Of what is said without a look at the bytes.
    private static let plainNames: Set<String> = ["us-ascii", "ascii", "utf-8", "utf8", "unknown-8bit", "x-unknown"]

    /// Few enough control characters, in the beginning at least. Wide characters count as text too.
    static func looksLikeText(_ bytes: [UInt8]) -> Bool {
        if mark(of: bytes) != nil || wide(bytes) != nil { return true }
        let sample = bytes.prefix(sampleCount)
        let controls = sample.count { $0 < 0x20 && !(0x07...0x0D).contains($0) && $0 != 0x1B }
        let zeros = sample.count { $0 == 0 }
        return zeros * 512 <= sample.count && controls * 50 <= sample.count
    }

    private static let sampleCount = 64 << 10

    private static func mark(of bytes: [UInt8]) -> (encoding: String, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return ("UTF-8", 3) }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return ("UTF-32LE", 4) }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return ("UTF-32BE", 4) }
        if bytes.starts(with: [0xFF, 0xFE]) { return ("UTF-16LE", 2) }
        return bytes.starts(with: [0xFE, 0xFF]) ? ("UTF-16BE", 2) : nil
    }

    private static func utf8(_ bytes: [UInt8], isCut: Bool) -> String? {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        guard isCut else { return nil }
        for missing in 1...3 {
            if let text = String(validating: bytes.dropLast(missing), as: UTF8.self) { return text }
        }
        return nil
    }

    /// A log or joined files: what other encodings write is hardly ever UTF-8 by chance, and here nearly all of it is.
    private static func mostlyUTF8(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        var (whole, stray) = (0, 0)
        for scalar in text.unicodeScalars where scalar.value >= 0x80 {
            if scalar == "\u{FFFD}" { stray += 1 } else { whole += 1 }
        }
        return whole >= 8 * stray ? text : nil
    }

    /// Text of mostly Latin letters in two bytes each: nearly every second byte is zero, and hardly any other.
    private static func wide(_ bytes: [UInt8]) -> String? {
        let sample = bytes.prefix(4096)
        guard sample.count >= 4 else { return nil }
        var zeros = (even: 0, odd: 0)
        for (index, byte) in sample.enumerated() where byte == 0 {
            if index % 2 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
        }
        let half = sample.count / 2
        if zeros.odd * 10 > half * 7, zeros.even * 20 < half { return "UTF-16LE" }
        return zeros.even * 10 > half * 7 && zeros.odd * 20 < half ? "UTF-16BE" : nil
    }

    /// Text of seven bits in which escape sequences announce letters of two bytes (RFC 1468, 1554, 1557, 1922).
    private static func escaped(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.firstIndex(of: 0x1B), bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        var rest = bytes[first...]
        while let place = rest.firstIndex(of: 0x1B) {
            rest = rest[(place + 1)...]
            for (sequence, encoding) in escapes where rest.starts(with: sequence.utf8) {
                // Of Japanese each line goes back; to a terminal or a printer the same bytes may say something else.
                return !encoding.hasSuffix("JP-2") || (goesBack(rest) && looksLikeText(bytes)) ? encoding : nil
            }
        }
        return nil
    }

    private static func goesBack(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.indices.dropLast(2).contains { place in
            bytes[place] == 0x1B && bytes[place + 1] == 0x28 && (bytes[place + 2] == 0x42 || bytes[place + 2] == 0x4A)
        }
    }

    /// Not those that go back to ASCII, which terminals know too and which logs are full of.
    private static let escapes = [
        ("$B", "ISO-2022-JP-2"), ("$@", "ISO-2022-JP-2"), ("$(D", "ISO-2022-JP-2"), ("(I", "ISO-2022-JP-2"),
        ("$)C", "ISO-2022-KR"), ("$)A", "ISO-2022-CN"),
    ]

    private static func guess(_ bytes: [UInt8]) -> String {
        guard let detector = uchardet_new() else { return "WINDOWS-1252" }
        defer { uchardet_delete(detector) }
        let result = bytes.prefix(sampleCount).withUnsafeBytes {
            uchardet_handle_data(detector, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
        }
        uchardet_data_end(detector)
        let name = result == 0 ? String(cString: uchardet_get_charset(detector)) : ""
        return name.isEmpty || name == "ASCII" || name == "UTF-8" ? "WINDOWS-1252" : name
    }

    /// Only a plain name goes to iconv, which also takes options and paths.
    private static func isName(_ name: String) -> Bool {
        (1...40).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "-_.:".utf8.contains(byte)
            }
    }
}
