/// Paths as parts of URLs (RFC 3986, section 2.1).
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
}
