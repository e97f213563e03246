// What typesetting puts into words, and nobody types who looks for them.
extension TextFolding {
    /// Where the options leave marks aside: without soft hyphens and other signs that nobody sees within words (U+00AD, U+200B,
    /// U+2060, U+FEFF), and with the apostrophe and the hyphen of keyboards in the place of U+2019, U+2010 and U+2011.
    static func typed(_ text: String, _ options: ComparisonOptions) -> String {
        guard options.contains(.diacriticInsensitive), !options.contains(.normalized) else { return text }
        var text = text
        let changed = text.withUTF8 { bytes -> String? in
            guard let first = bytes.indices.first(where: { sign(in: bytes, at: $0) != nil }) else { return nil }
            return String(unsafeUninitializedCapacity: bytes.count) { copy(bytes, signsFrom: first, to: $0) }
        }
        return changed ?? text
    }

    private static func copy(
        _ bytes: UnsafeBufferPointer<UInt8>, signsFrom first: Int, to result: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var (place, end) = (0, 0)
        while place < bytes.count {
            if place >= first, let found = sign(in: bytes, at: place) {
                if let typed = found.typed {
                    result[end] = typed
                    end += 1
                }
                place += found.length
            } else {
                result[end] = bytes[place]
                end += 1
                place += 1
            }
        }
        return end
    }

    private struct Sign {
        let length: Int
        /// What is typed for it; nil for nothing.
        var typed: UInt8?
    }

    /// Nil where none begins.
    @inline(__always)
    private static func sign(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Sign? {
        switch bytes[place] {
        case 0xC2 where place + 1 < bytes.count: bytes[place + 1] == 0xAD ? Sign(length: 2) : nil
        case 0xE2 where place + 2 < bytes.count: sign(bytes[place + 1], bytes[place + 2])
        case 0xEF where place + 2 < bytes.count:
            bytes[place + 1] == 0xBB && bytes[place + 2] == 0xBF ? Sign(length: 3) : nil
        default: nil
        }
    }

    private static func sign(_ second: UInt8, _ third: UInt8) -> Sign? {
        switch (second, third) {
        case (0x80, 0x8B), (0x81, 0xA0): Sign(length: 3)
        case (0x80, 0x90), (0x80, 0x91): Sign(length: 3, typed: UInt8(ascii: "-"))
        case (0x80, 0x99): Sign(length: 3, typed: UInt8(ascii: "'"))
        default: nil
        }
    }
}
