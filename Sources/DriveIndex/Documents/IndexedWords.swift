import DrivePredicates
import Glibc

/// The words of a text as the index takes them: those of `TextWords`, as bytes, since texts are long and mostly ASCII.
struct IndexedWords {
    /// With a space between.
    private(set) var joined: [UInt8] = []
    /// Some were too long, and were left out.
    private(set) var hasLong = false

    init(_ text: String) {
        if text.isASCII {
            var text = text
            text.withUTF8 { cut($0) }
        } else {
            let words = TextWords(folded: text.foldedForSearch)
            joined = Array(words.joined.utf8)
            hasLong = words.hasLong
        }
    }

    private mutating func cut(_ text: UnsafeBufferPointer<UInt8>) {
        var hasLong = false
        joined = [UInt8](unsafeUninitializedCapacity: text.count + 1) { joined, count in
            var (start, end) = (0, 0)
            func endWord() {
                if end - start > TextWords.longest {
                    hasLong = true
                    end = start
                } else if end > start {
                    joined[end] = 0x20
                    end += 1
                    start = end
                }
            }
            for byte in text {
                if WordBreaks.isInWord(byte) {
                    joined[end] = byte &- 0x41 < 26 ? byte | 0x20 : byte
                    end += 1
                } else {
                    endWord()
                }
            }
            endWord()
            count = max(0, end - 1)
        }
        self.hasLong = hasLong
    }

    func each(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try joined.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let end = bytes[start...].firstIndex(of: 0x20) ?? bytes.count
                try body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end + 1
            }
        }
    }
}

/// Words that were seen, up to a bound: then it begins anew.
struct SeenWords {
    private static var most: Int { 200_000 }
    private static var slots: Int { 1 << 19 }
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = [0]
    /// The number of a word, one more; 0 where there is none.
    private var table: [UInt32] = []

    /// False where it was seen before.
    mutating func insert(_ word: UnsafeRawBufferPointer) -> Bool {
        if ends.count > Self.most { self = SeenWords() }
        // Not before: searches have one too, and insert nothing.
        if table.isEmpty { table = [UInt32](repeating: 0, count: Self.slots) }
        var slot = Self.hash(word) & (Self.slots - 1)
        while table[slot] != 0 {
            if isEqual(Int(table[slot]), word) { return false }
            slot = (slot + 1) & (Self.slots - 1)
        }
        table[slot] = UInt32(ends.count)
        bytes += word
        ends.append(UInt32(bytes.count))
        return true
    }

    private func isEqual(_ number: Int, _ word: UnsafeRawBufferPointer) -> Bool {
        let start = Int(ends[number - 1])
        guard Int(ends[number]) - start == word.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            guard let known = bytes.baseAddress, let word = word.baseAddress else { return true }
            return memcmp(known + start, word, Int(ends[number]) - start) == 0
        }
    }

    /// FNV-1a, and its high bits, which are the better ones.
    private static func hash(_ word: UnsafeRawBufferPointer) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in word { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 29)
    }
}

extension String {
    var isASCII: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            var all: UInt8 = 0
            for byte in bytes { all |= byte }
            return all < 0x80
        } ?? utf8.allSatisfy { $0 < 0x80 }
    }
}
