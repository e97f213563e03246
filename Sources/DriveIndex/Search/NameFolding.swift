import DriveCore
import DrivePredicates

/// What makes `Müller.PDF` and `muller.pdf` one word for a search.
package enum NameFolding {
    /// Nil where the name is its own folded form.
    package static func folded(_ name: FileName) -> [UInt8]? {
        if name.bytes.allSatisfy({ $0 < 0x80 }) {
            return name.bytes.contains(where: isUpper) ? name.bytes.map(lower) : nil
        }
        let folded = folded(name.bytes)
        return folded == name.bytes ? nil : folded
    }

    /// As queries fold what they look for, so that bytes can be compared.
    package static func folded(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(TextFolding.folded(text, [.caseInsensitive, .diacriticInsensitive]).utf8)
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    private static func lower(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }
}
