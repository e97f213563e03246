/// Bytes that a text has as letters and digits: base64 of pictures in notebooks and web pages, of keys and certificates.
///
/// Nobody looks for them, and as words they would make the index several times as large as the text: each is one that nothing else
/// has. Only what is long and looks random counts, with digits and letters of both cases side by side in their shares: so no word, path,
/// title, number or gene is one, nor a list of those; a list of random ids may be.
enum EncodedRuns {
    /// Bytes of the shortest one.
    static let shortest = 1_024
    /// RFC 2045 and RFC 7468 break lines after 76 and 64 of them.
    private static let lines = 60...76

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

    /// Of letters and digits that begin at `start`, with what fills up the last group, and line breaks between full lines.
    private static func end(of start: Int, _ bytes: [UInt8]) -> Int {
        var line = start
        while true {
            let end = self.endOfLine(line, bytes)
            guard lines.contains(end - line), end < bytes.count, bytes[end] == 0x0A || bytes[end] == 0x20 else {
                return end
            }
            // What is shorter may be a word of what comes next, unless it is filled up.
            let next = endOfLine(end + 1, bytes)
            guard lines.contains(next - end - 1) || (next > end + 1 && bytes[next - 1] == padding) else { return end }
            line = end + 1
        }
    }

    private static func endOfLine(_ start: Int, _ bytes: [UInt8]) -> Int {
        var end = start
        while end < bytes.count, isPart(bytes[end]) { end += 1 }
        let filled = min(end + 2, bytes.count)
        while end > start, end < filled, bytes[end] == padding { end += 1 }
        return end
    }

    private static func looksRandom(_ run: ArraySlice<UInt8>) -> Bool {
        var (large, small, digits, pairs) = (0, 0, 0, 0)
        var isSeen = [Bool](repeating: false, count: 256)
        var last = Case.none
        for byte in run {
            isSeen[Int(byte)] = true
            let letter = Case(byte)
            switch letter {
            case .large: large += 1
            case .small: small += 1
            case .none: if 0x30...0x39 ~= byte { digits += 1 }
            }
            if letter != .none, letter == last { pairs += 1 }
            last = letter
        }
        // Two fifths, two fifths and a sixth of base64, and a third has the case of the letter before it: more of what people write.
        return min(large, small) >= run.count / 8 && digits >= run.count / 32 && pairs <= run.count * 3 / 8
            && isSeen.count { $0 } >= 40
    }

    private enum Case {
        case none, large, small

        init(_ byte: UInt8) {
            switch byte {
            case 0x41...0x5A: self = .large
            case 0x61...0x7A: self = .small
            default: self = .none
            }
        }
    }

    private static let padding: UInt8 = 0x3D

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2D, 0x2F, 0x5F: true
        default: false
        }
    }
}
