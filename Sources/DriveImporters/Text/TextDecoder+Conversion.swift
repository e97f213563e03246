import Glibc

// One encoding into UTF-8, by iconv.
extension TextDecoder {
    /// With a replacement character for each byte that the encoding does not know; nil if it is none.
    static func convert(_ bytes: [UInt8], from encoding: String) -> String? {
        if encoding == "UTF-8" { return String(decoding: bytes, as: UTF8.self) }
        // A unit that makes no character, as where a program cut a text, costs iconv all that follows: it goes on by a byte.
        if encoding == "UTF-16LE" || encoding == "UTF-16BE" { return wide(bytes, isLittle: encoding.hasSuffix("LE")) }
        let converter = iconv_open("UTF-8", encoding)
        guard let converter, Int(bitPattern: converter) != -1 else { return nil }
        defer { iconv_close(converter) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + bytes.count / 2)
        var room = [CChar](repeating: 0, count: 64 << 10)
        var input = bytes
        input.withUnsafeMutableBytes { buffer in run(converter, buffer, &room, into: &output) }
        // A letter to which a mark may be added is held back until what follows is seen, also the last one.
        while step(&room, into: &output, { iconv(converter, nil, nil, &$0, &$1) }) == E2BIG {}
        return String(decoding: output, as: UTF8.self)
    }

    private static func wide(_ bytes: [UInt8], isLittle: Bool) -> String {
        let units = (0..<bytes.count / 2).lazy.map { number in
            let (first, second) = (UInt16(bytes[2 * number]), UInt16(bytes[2 * number + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func run(
        _ converter: iconv_t, _ buffer: UnsafeMutableRawBufferPointer, _ room: inout [CChar],
        into output: inout [UInt8]
    ) {
        var next = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        var left = buffer.count
        while left > 0 {
            let error = step(&room, into: &output) { iconv(converter, &next, &left, &$0, &$1) }
            if error == 0 || error == E2BIG { continue }
            // EINVAL: the last character lacks bytes.
            if error != EILSEQ || left == 0 { return }
            output.append(contentsOf: [0xEF, 0xBF, 0xBD])
            next = next.map { $0 + 1 }
            left -= 1
        }
    }

    /// Takes what one call of iconv writes. Returns its error, or 0; E2BIG only where it wrote something.
    private static func step(
        _ room: inout [CChar], into output: inout [UInt8],
        _ call: (_ place: inout UnsafeMutablePointer<CChar>?, _ free: inout Int) -> Int
    ) -> Int32 {
        let (error, written) = room.withUnsafeMutableBufferPointer { room -> (Int32, Int) in
            var place = room.baseAddress
            var free = room.count
            errno = 0
            let result = call(&place, &free)
            return (result == -1 ? errno : 0, room.count - free)
        }
        output.append(contentsOf: room[..<written].lazy.map(UInt8.init(bitPattern:)))
        return error == E2BIG && written == 0 ? EINVAL : error
    }
}
