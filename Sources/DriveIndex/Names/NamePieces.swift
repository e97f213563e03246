/// Which groups of names have which pieces of three and of four bytes, as bits; several pieces share a bit, so that a group may
/// seem to have what it has not. Pieces of four tell numbers apart, of which nearly every group has all of three.
///
/// A segment is 64 blocks. Its bits are in parts of a page each: for some of the pieces, 256 bits for the groups.
enum NamePieces {
    static let blocks = 64
    static let parts = 34
    private static let piecesInPart = 120
    private static let width = blocks * NameBlock.groups / 8
    static let partSize = piecesInPart * width

    /// The key of a part.
    static func place(_ segment: Int64, _ part: Int) -> Int64 { segment * Int64(parts) + Int64(part) }

    /// The part in which a piece is, and where in it.
    struct Piece: Hashable {
        let part: Int
        let offset: Int

        fileprivate init(_ value: UInt32) {
            let mixed = UInt64(value &* 0x9E37_79B1 ^ value >> 11)
            let number = Int((mixed * UInt64(parts * piecesInPart)) >> 32)
            (part, offset) = (number / piecesInPart, number % piecesInPart * width)
        }
    }

    static func each(in text: UnsafeRawBufferPointer, _ body: (Piece) -> Void) {
        var value: UInt32 = 0
        for place in 0..<text.count {
            value = value << 8 | UInt32(text[place])
            // No name has a byte 0, so that three are never taken for four.
            if place >= 2 { body(Piece(value & 0xFF_FFFF)) }
            if place >= 3 { body(Piece(value)) }
        }
    }

    /// Not more than a few: others hardly narrow further.
    static func pieces(of text: [UInt8]) -> [Piece] {
        var pieces: [Piece] = []
        text.withUnsafeBytes { each(in: $0) { if !pieces.contains($0) { pieces.append($0) } } }
        return Array(pieces.suffix(12))
    }
}

/// The groups of a segment.
struct NameGroups {
    private var words: SIMD4<UInt64>

    static let all = NameGroups(words: SIMD4(repeating: .max))

    var count: Int { (0..<4).reduce(0) { $0 + words[$1].nonzeroBitCount } }

    mutating func formIntersection(_ part: UnsafeRawBufferPointer, at offset: Int) {
        for word in 0..<4 {
            words[word] &= UInt64(
                littleEndian: part.loadUnaligned(fromByteOffset: offset + word * 8, as: UInt64.self))
        }
    }

    /// Of a block of the segment, one bit each.
    subscript(block: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: words[block / 16] >> UInt64(block % 16 * 4)) & 0xF
    }
}

/// The bits of a segment while they are made.
struct NameBits {
    private(set) var parts = [[UInt8]](
        repeating: [UInt8](repeating: 0, count: NamePieces.partSize), count: NamePieces.parts)

    /// The names of a block of the segment.
    mutating func add(_ names: NameTexts, block: Int) {
        names.each { entry, text in
            let group = block * NameBlock.groups + min(entry / NameBlock.groupSize, NameBlock.groups - 1)
            NamePieces.each(in: text) { parts[$0.part][$0.offset + group / 8] |= 1 << UInt8(group % 8) }
        }
    }
}
