import DriveCore

/// How a name is made of its folded form: mostly a few letters are to be made capital.
///
/// Each step copies so many bytes and then makes the next one capital, or puts other bytes in the place of some. What the
/// steps leave is copied.
enum NameChanges {
    /// Nil where that takes more than 254 bytes.
    static func changes(from folded: [UInt8], to name: [UInt8]) -> [UInt8]? {
        var writer = ByteWriter()
        var (here, there, copied) = (0, 0, 0)
        while here < folded.count || there < name.count {
            if here < folded.count, there < name.count, folded[here] == name[there] {
                copied += 1
                (here, there) = (here + 1, there + 1)
                continue
            }
            if here < folded.count, there < name.count, isCapital(name[there], of: folded[here]) {
                writer.varint(UInt64(copied) << 1)
                (here, there) = (here + 1, there + 1)
            } else {
                let (left, put) = difference(folded[here...], name[there...])
                writer.varint(UInt64(copied) << 1 | 1)
                writer.count(left)
                writer.count(put)
                writer.raw(name[there..<there + put])
                (here, there) = (here + left, there + put)
            }
            copied = 0
        }
        return writer.bytes.count < 255 ? writer.bytes : nil
    }

    static func name(from folded: UnsafeRawBufferPointer, by changes: [UInt8]) throws(DriveError) -> [UInt8] {
        var name: [UInt8] = []
        name.reserveCapacity(folded.count + changes.count)
        var rest = folded[...]
        var reader = ByteReader(changes)
        while !reader.isAtEnd {
            let step = try reader.varint()
            let copied = Int(step >> 1)
            guard copied <= rest.count else { throw .damagedBlob }
            name += rest.prefix(copied)
            rest = rest.dropFirst(copied)
            if step & 1 == 0 {
                guard let letter = rest.popFirst() else { throw .damagedBlob }
                name.append(letter & ~0x20)
            } else {
                rest = rest.dropFirst(try reader.number(Int.self))
                name += try reader.raw(try reader.count(limit: 255))
            }
        }
        return name + rest
    }

    private static func isCapital(_ byte: UInt8, of letter: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) && byte | 0x20 == letter
    }

    /// How many bytes of both differ, until a few are equal again.
    private static func difference(_ folded: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> (Int, Int) {
        for total in 1...16 {
            for left in 0...min(total, folded.count) where total - left <= name.count {
                if isSame(folded.dropFirst(left), name.dropFirst(total - left)) { return (left, total - left) }
            }
        }
        return (folded.count, name.count)
    }

    private static func isSame(_ folded: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
        if folded.isEmpty || name.isEmpty { return folded.isEmpty && name.isEmpty }
        return zip(folded.prefix(3), name.prefix(3)).allSatisfy { $0 == $1 || isCapital($1, of: $0) }
    }
}
