import Glibc

/// Addresses that begin alike, as NO_PROXY names them: `10.0.0.0/8`, `fd00::/8` (RFC 4632, section 3.1; RFC 4291, section 2.3), or
/// a single one. No name is ever looked up.
struct AddressBlock: Hashable {
    private let bytes: [UInt8]
    /// In bits.
    private let length: Int

    /// Nil where the text is none. An IPv6 address stands there with or without brackets.
    init?(_ text: Substring) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = parts.first, let bytes = Self.bytes(start) else { return nil }
        var length = bytes.count * 8
        if parts.count > 1 {
            let isNumber = parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
            guard isNumber, let number = Int(parts[1]), number <= length else { return nil }
            length = number
        }
        self.bytes = bytes
        self.length = length
    }

    /// False for whatever is no address, and for one of the other version.
    func contains(_ host: String) -> Bool {
        guard let other = Self.bytes(host[...]), other.count == bytes.count else { return false }
        let (whole, rest) = length.quotientAndRemainder(dividingBy: 8)
        guard other[..<whole] == bytes[..<whole] else { return false }
        if rest == 0 { return true }
        let mask = ~(UInt8.max >> UInt8(rest))
        return (other[whole] ^ bytes[whole]) & mask == 0
    }

    /// Of an address as it is written, 4 or 16.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let address = String(isBracketed ? text.dropFirst().dropLast() : text)
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, address, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
