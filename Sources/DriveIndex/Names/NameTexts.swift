import DrivePredicates

/// The folded names of a block, where they lie.
struct NameTexts {
    let count: Int
    private let lengths: UnsafeRawBufferPointer
    private let texts: UnsafeRawBufferPointer
    private let start: Int

    init(lengths: UnsafeRawBufferPointer, texts: UnsafeRawBufferPointer) {
        self.lengths = lengths
        self.texts = texts
        var place = 0
        count = Self.number(lengths, &place)
        start = place
    }

    /// A damaged block has no more than its bytes.
    func each(_ body: (_ entry: Int, _ text: UnsafeRawBufferPointer) throws -> Void) rethrows {
        var (place, begin) = (start, 0)
        for entry in 0..<count {
            let end = min(begin + Self.number(lengths, &place), texts.count)
            try body(entry, UnsafeRawBufferPointer(rebasing: texts[begin..<end]))
            begin = end
        }
    }

    /// The names in the groups in which the text occurs, each once; goes on while the body returns true.
    func each(
        with finder: ByteFinder, in groups: UInt8,
        _ body: (_ entry: Int, _ text: UnsafeRawBufferPointer) throws -> Bool
    ) rethrows -> Bool {
        var (place, begin, end, entry) = (start, 0, 0, -1)
        func next() {
            begin = end
            entry += 1
            end = min(begin + Self.number(lengths, &place), texts.count)
        }
        func isAsked() -> Bool { groups >> UInt8(min(entry / NameBlock.groupSize, NameBlock.groups - 1)) & 1 != 0 }
        var from = 0
        while let hit = finder.first(in: texts, from: from) {
            while end <= hit, entry + 1 < count { next() }
            if end <= hit { return true }
            from = hit + 1
            // The end of one name and the beginning of the next.
            if hit + finder.text.count > end { continue }
            from = end
            if isAsked(), try !body(entry, UnsafeRawBufferPointer(rebasing: texts[begin..<end])) { return false }
        }
        return true
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> Int {
        var (result, shift) = (0, 0)
        while place < bytes.count, shift < 28 {
            let byte = bytes[place]
            place += 1
            result |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { break }
            shift += 7
        }
        return result
    }
}
