/// What folding makes of single code points, looked up once: Foundation takes microseconds for each text that is not
/// ASCII, which is long where there are a million.
///
/// Only code points that never compose with what follows or precedes them are in it; a text with any other goes to
/// Foundation.
struct FoldingTable: Sendable {
    // Apart, since making one takes milliseconds and most programs need one.
    private static let whole = FoldingTable([])
    private static let withoutCase = FoldingTable([.caseInsensitive])
    private static let withoutMarks = FoldingTable([.diacriticInsensitive])
    private static let plain = FoldingTable([.caseInsensitive, .diacriticInsensitive])
    private static let end: UInt32 = 0x530

    /// The folded bytes of each code point from 0 on, one after the other.
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    private var isSafe: [Bool] = []

    static func table(_ options: ComparisonOptions) -> FoldingTable {
        switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
        case (false, false): whole
        case (true, false): withoutCase
        case (false, true): withoutMarks
        case (true, true): plain
        }
    }

    private init(_ options: ComparisonOptions) {
        for value in 0..<Self.end {
            let scalar = Unicode.Scalar(value)
            let isAlone =
                scalar.map { !$0.properties.isGraphemeExtend && $0.properties.canonicalCombiningClass == .notReordered }
                ?? false
            isSafe.append(isAlone)
            if let scalar, isAlone { bytes += TextFolding.slowlyFolded(String(scalar), options).utf8 }
            ends.append(UInt32(bytes.count))
        }
    }

    /// Letters without case and marks, punctuation and pictures, which are what they were before.
    static func isUnchanged(_ value: UInt32) -> Bool {
        switch value {
        case 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x2010...0x2027, 0x2030...0x205E, 0x1F300...0x1F3FA, 0x1F400...0x1F6FF,
            0x1F900...0x1FAFF:
            true
        default: false
        }
    }

    /// nil where the text has a code point that is not in the table.
    func folded(_ text: String) -> String? {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count + 8)
        for scalar in text.unicodeScalars {
            let value = scalar.value
            if value < Self.end {
                guard isSafe[Int(value)] else { return nil }
                let start = value == 0 ? 0 : ends[Int(value) - 1]
                folded.append(contentsOf: bytes[Int(start)..<Int(ends[Int(value)])])
            } else if Self.isUnchanged(value) {
                if let bytes = UTF8.encode(scalar) { folded.append(contentsOf: bytes) }
            } else {
                return nil
            }
        }
        return String(decoding: folded, as: UTF8.self)
    }
}
