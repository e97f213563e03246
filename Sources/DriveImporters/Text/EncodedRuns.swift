/// Bytes that a text has as letters and digits: base64 of pictures in notebooks and web pages, of keys and certificates.
///
/// Nobody looks for them, and as words they would make the index several times as large as the text: each is one that nothing else
/// has. Only what is long and looks random counts, with digits and letters of both cases in their shares: so no
/// word, path, number or gene is one.
enum EncodedRuns {
    /// Bytes of the shortest one.
    static let shortest = 1_024
    /// RFC 2045 and RFC 7468 break lines after 76 and 64 of them.
    private static let shortestLine = 60

    /// The text with a space in the place of each of them.
    static func removed(from bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var start = 0
        var place = 0
        while place < bytes.count {
            guard isPart(bytes[place]) else {
                place += 1
                continue
            }
            let end = self.end(of: place, bytes)
            if end - place >= shortest, looksRandom(bytes[place..<end]) {
                kept += bytes[start..<place]
                if let last = kept.last, last != 0x20, last != 0x0A { kept.append(0x20) }
                start = end
            }
            place = end
        }
        return start == 0 ? bytes : kept + bytes[start...]
    }

    /// Of letters and digits that begin at `start`, line breaks after long lines included.
    private static func end(of start: Int, _ bytes: [UInt8]) -> Int {
        var (place, line) = (start, start)
        while place < bytes.count {
            if isPart(bytes[place]) {
                place += 1
            } else if place - line >= shortestLine, bytes[place] == 0x0A || bytes[place] == 0x20,
                place + 1 < bytes.count, isPart(bytes[place + 1])
            {
                place += 1
                line = place
            } else {
                break
            }
        }
        return place
    }

    private static func looksRandom(_ run: ArraySlice<UInt8>) -> Bool {
        var (large, small, digits) = (0, 0, 0)
        var isSeen = [Bool](repeating: false, count: 256)
        for byte in run {
            isSeen[Int(byte)] = true
            switch byte {
            case 0x41...0x5A: large += 1
            case 0x61...0x7A: small += 1
            case 0x30...0x39: digits += 1
            default: break
            }
        }
        // Two fifths, two fifths and a sixth of base64.
        return min(large, small) >= run.count / 8 && digits >= run.count / 32 && isSeen.count { $0 } >= 40
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2D, 0x2F, 0x3D, 0x5F: true
        default: false
        }
    }
}
