/// A set of bytes, as a class in brackets names it.
struct ByteSet: Hashable, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    func contains(_ byte: UInt8) -> Bool {
        let word =
            switch byte >> 6 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        return word >> UInt64(byte & 63) & 1 == 1
    }

    mutating func insert(_ byte: UInt8) {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    var inverted: ByteSet {
        var result = self
        result.words = (~words.0, ~words.1, ~words.2, ~words.3)
        return result
    }

    static func == (a: Self, b: Self) -> Bool { a.words == b.words }

    func hash(into hasher: inout Hasher) {
        for word in [words.0, words.1, words.2, words.3] { hasher.combine(word) }
    }
}

extension ByteSet {
    /// Reads what stands between brackets, as git does (`wildmatch.c`): `!` or `^` first inverts, a `]` at the
    /// beginning is an ordinary member, a backslash escapes, `[:name:]` is a class of ASCII.
    struct Reader {
        private let pattern: ArraySlice<UInt8>
        /// Behind the closing bracket, once read.
        private(set) var place: Int
        private var set = ByteSet()

        init(_ pattern: ArraySlice<UInt8>, at place: Int) {
            self.pattern = pattern
            self.place = place
        }

        private var current: UInt8? { place < pattern.endIndex ? pattern[place] : nil }
        private var following: UInt8? { place + 1 < pattern.endIndex ? pattern[place + 1] : nil }

        mutating func read() throws(Glob.Fault) -> ByteSet {
            let isInverted = current == UInt8(ascii: "!") || current == UInt8(ascii: "^")
            if isInverted { place += 1 }
            var previous: UInt8?
            repeat {
                previous = try member(after: previous)
                place += 1
            } while current != UInt8(ascii: "]")
            place += 1
            return isInverted ? set.inverted : set
        }

        /// Reads one member and stays on its last byte; returns what a range may begin with.
        private mutating func member(after previous: UInt8?) throws(Glob.Fault) -> UInt8? {
            guard let byte = current else { throw .unclosedClass }
            if byte == UInt8(ascii: "\\") {
                place += 1
                guard let escaped = current else { throw .unclosedClass }
                set.insert(escaped)
                return escaped
            }
            if byte == UInt8(ascii: "-"), let previous, let end = following, end != UInt8(ascii: "]") {
                try range(from: previous)
                return nil
            }
            if byte == UInt8(ascii: "["), following == UInt8(ascii: ":") {
                guard let name = try className() else {
                    set.insert(byte)
                    return byte
                }
                try insertClass(name)
                return nil
            }
            set.insert(byte)
            return byte
        }

        private mutating func range(from first: UInt8) throws(Glob.Fault) {
            place += 1
            if current == UInt8(ascii: "\\") { place += 1 }
            guard let last = current else { throw .unclosedClass }
            if first <= last { for byte in first...last { set.insert(byte) } }
        }

        /// The name in `[:name:]`, read to its bracket; nil, with nothing read, if it does not end with `:]`.
        private mutating func className() throws(Glob.Fault) -> ArraySlice<UInt8>? {
            let start = place + 2
            guard let end = pattern[start...].firstIndex(of: UInt8(ascii: "]")) else { throw .unclosedClass }
            guard end > start, pattern[end - 1] == UInt8(ascii: ":") else { return nil }
            place = end
            return pattern[start..<(end - 1)]
        }

        private mutating func insertClass(_ name: ArraySlice<UInt8>) throws(Glob.Fault) {
            guard let ranges = Self.classes[String(decoding: name, as: UTF8.self)] else { throw .unknownClass }
            for range in ranges { for byte in range { set.insert(byte) } }
        }

        /// POSIX classes over ASCII: other bytes belong to none, whatever the locale.
        private static let classes: [String: [ClosedRange<UInt8>]] = [
            "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A],
            "alpha": [0x41...0x5A, 0x61...0x7A],
            "blank": [0x20...0x20, 0x09...0x09],
            "cntrl": [0x00...0x1F, 0x7F...0x7F],
            "digit": [0x30...0x39],
            "graph": [0x21...0x7E],
            "lower": [0x61...0x7A],
            "print": [0x20...0x7E],
            "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E],
            "space": [0x09...0x0D, 0x20...0x20],
            "upper": [0x41...0x5A],
            "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66],
        ]
    }
}
