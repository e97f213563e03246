import Foundation

/// Brings texts to the form in which their bytes can be compared: canonically composed, and without case or marks where
/// the options say so; without marks also with signs as they are typed (`typed`). An index that keeps folded columns has to use the same.
public enum TextFolding {
    public static func folded(_ text: String, _ options: ComparisonOptions) -> String {
        if options.contains(.normalized) { return text }
        let ignoresCase = options.contains(.caseInsensitive)
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return ignoresCase ? String(decoding: text.utf8.map(lowered), as: UTF8.self) : text
        }
        let plain = typed(text, options)
        return FoldingTable.table(options).folded(plain)
            ?? (plain.utf8.count < 256 ? slowlyFolded(plain, options) : foldedInPieces(plain, options))
    }

    /// A long text has few words that need Foundation. Nothing composes with a space that follows it, so a text may be cut
    /// before spaces.
    private static func foldedInPieces(_ text: String, _ options: ComparisonOptions) -> String {
        let table = FoldingTable.table(options)
        let bytes = text.utf8
        var result = ""
        result.reserveCapacity(bytes.count)
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[bytes.index(after: start)...].firstIndex(of: 0x20) ?? bytes.endIndex
            let piece = String(text[start..<end])
            result += table.folded(piece) ?? slowlyFolded(piece, options)
            start = end
        }
        return result
    }

    /// By Foundation, which knows all of Unicode.
    static func slowlyFolded(_ text: String, _ options: ComparisonOptions) -> String {
        let ignoresCase = options.contains(.caseInsensitive)
        var folding: String.CompareOptions = []
        if ignoresCase { folding.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
        let folded = folding.isEmpty ? text : text.folding(options: folding, locale: nil)
        return folded.composed
    }

    @inline(__always) static func lowered(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }
}

/// Runs a comparison over the folded bytes of a text. Most texts are ASCII, and are read where they lie.
struct FoldedBytes {
    let options: ComparisonOptions

    /// The body gets the bytes, and whether it has to lower capitals itself.
    @inline(__always)
    func with<Result>(
        _ text: String, _ body: (_ bytes: UnsafeBufferPointer<UInt8>, _ lowers: Bool) -> Result
    ) -> Result {
        let isRaw = options.contains(.normalized)
        let lowers = !isRaw && options.contains(.caseInsensitive)
        let direct: Result?? = text.utf8.withContiguousStorageIfAvailable { bytes in
            isRaw || Self.areASCII(bytes) ? body(bytes, lowers) : nil
        }
        if let direct, let result = direct { return result }
        var folded = TextFolding.folded(text, options)
        return folded.withUTF8 { body($0, false) }
    }
    /// Eight bytes at a time; a loop that may end at each byte takes as long as to decompress the text.
    private static func areASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = UnsafeRawBufferPointer(text)
        let whole = bytes.count & ~7
        for place in stride(from: 0, to: whole, by: 8)
        where bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
            return false
        }
        return bytes[whole...].allSatisfy { $0 < 0x80 }
    }
}
