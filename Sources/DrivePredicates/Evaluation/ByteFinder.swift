/// Finds a text by the two bytes of it that are rarest in names, at eight places at once.
package struct ByteFinder: Hashable, Sendable {
    package let text: [UInt8]
    private let rarest: Int
    private let second: Int

    package init(_ text: [UInt8]) {
        self.text = text
        let byRarity = text.indices.sorted { Self.commonness(text[$0]) < Self.commonness(text[$1]) }
        rarest = byRarity.first ?? 0
        second = byRarity.dropFirst().first ?? rarest
    }

    /// Where the text begins first, at `start` or after it; nil if nowhere, and of an empty text. Where capitals of ASCII count
    /// as small letters, those of the text are small.
    package func first(
        in bytes: UnsafeRawBufferPointer, from start: Int, loweringASCII lowers: Bool = false
    ) -> Int? {
        guard let base = bytes.baseAddress, !text.isEmpty else { return nil }
        return text.withUnsafeBytes { text -> Int? in
            guard let sought = text.baseAddress else { return nil }
            let last = bytes.count - text.count
            let (one, two) = (Self.lowest &* UInt64(text[rarest]), Self.lowest &* UInt64(text[second]))
            let (lowerOne, lowerTwo) = (Self.lowering(text[rarest], lowers), Self.lowering(text[second], lowers))
            var place = start
            while place + 7 <= last {
                // A byte is 0 where both are as they are sought.
                let rest =
                    ((Self.eight(base + place + rarest) | lowerOne) ^ one)
                    | ((Self.eight(base + place + second) | lowerTwo) ^ two)
                // The lowest bit that is set is that of the first such byte; those above may be of others too.
                var hits = (rest &- Self.lowest) & ~rest & Self.lowest << 7
                while hits != 0 {
                    let hit = place + hits.trailingZeroBitCount / 8
                    if Self.equal(base + hit, sought, text.count, lowers) { return hit }
                    hits &= hits - 1
                }
                place += 8
            }
            while place <= last {
                if Self.equal(base + place, sought, text.count, lowers) { return place }
                place += 1
            }
            return nil
        }
    }

    @inline(__always)
    private static func equal(
        _ bytes: UnsafeRawPointer, _ text: UnsafeRawPointer, _ count: Int, _ lowers: Bool
    ) -> Bool {
        for index in 0..<count {
            let byte = bytes.load(fromByteOffset: index, as: UInt8.self)
            if (lowers ? TextFolding.lowered(byte) : byte) != text.load(fromByteOffset: index, as: UInt8.self) {
                return false
            }
        }
        return true
    }

    /// The bit that tells a capital from a small letter, in each byte; no other byte becomes a letter by it.
    private static func lowering(_ byte: UInt8, _ lowers: Bool) -> UInt64 {
        lowers && byte &- 0x61 < 26 ? lowest << 5 : 0
    }

    /// A 1 in each byte.
    private static var lowest: UInt64 { 0x0101_0101_0101_0101 }

    private static func eight(_ bytes: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    private static let common = Array("qjzxkwvyb+()~,'&hgfumpdlcsortin9876543aie-_.210 ".utf8)

    /// Bytes of other scripts: the first of a letter says little, the others more.
    private static func commonness(_ byte: UInt8) -> Int {
        if byte >= 0xC0 { return common.count }
        if byte >= 0x80 { return common.count / 2 }
        return common.firstIndex(of: byte).map { $0 + 1 } ?? 0
    }
}
