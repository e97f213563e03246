/// Bytes in URLs (RFC 3986, section 2).
public enum PercentEncoding {
    /// Slashes stay, and what needs no encoding (section 2.3); every other byte is encoded, whatever it means.
    public static func text(_ path: some Sequence<UInt8>) -> String {
        var result = ""
        for byte in path {
            switch byte {
            // - . / 0-9, A-Z, _, a-z, ~
            case 0x2D...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x7E: result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    /// What such a text stands for; nil where an escape is none, or stands for a zero byte, which no name can hold.
    public static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        var escape: [UInt8]?
        for byte in text {
            if var digits = escape {
                digits.append(byte)
                escape = digits
                guard digits.count == 2 else { continue }
                guard let high = digit(digits[0]), let low = digit(digits[1]), high | low != 0 else { return nil }
                result.append(high << 4 | low)
                escape = nil
            } else if byte == 0x25 {
                escape = []
            } else {
                result.append(byte)
            }
        }
        return escape == nil ? result : nil
    }

    /// Swift's own reading of numbers takes a sign too.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x61 + 10
        default: nil
        }
    }
}
