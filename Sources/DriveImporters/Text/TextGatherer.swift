/// Gathers text for searching, up to a limit, so that no file makes it grow further.
struct TextGatherer: Sendable {
    private enum Gap: Int { case none, space, line }

    private var bytes: [UInt8] = []
    private var gap = Gap.none
    private var isCut = false
    private var hasMore = false
    let limit: Int

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { isCut }
    var isEmpty: Bool { bytes.isEmpty }
    var count: Int { bytes.count }

    mutating func append(_ text: some StringProtocol, collapsing: Bool) {
        var text = String(text)
        text.withUTF8 { append($0, collapsing: collapsing) }
    }

    /// With `collapsing`, each run of white space counts as one space; without, lines and spaces stay.
    mutating func append(_ more: UnsafeBufferPointer<UInt8>, collapsing: Bool) {
        for byte in more {
            if isCut { return }
            switch byte {
            case 0x0A: leave(collapsing ? .space : .line)
            case 0x09, 0x0B, 0x0C, 0x0D: leave(.space)
            case 0x20 where collapsing: leave(.space)
            // Nobody looks for control characters, and NUL ends a text for some.
            case 0..<0x20, 0x7F: continue
            default: put(byte)
            }
        }
    }

    mutating func space() { leave(.space) }
    mutating func line() { leave(.line) }

    /// There is more text than was given to it.
    mutating func endsEarly() { hasMore = true }

    /// What was given to it ended anywhere, perhaps within a character.
    mutating func wasCut() { isCut = true }

    mutating func append(_ other: TextGatherer) {
        other.bytes.withUnsafeBufferPointer { append($0, collapsing: false) }
        isCut = isCut || other.isCut
        hasMore = hasMore || other.hasMore
    }

    private mutating func leave(_ wider: Gap) {
        if wider.rawValue > gap.rawValue { gap = wider }
    }

    private mutating func put(_ byte: UInt8) {
        if gap != .none, !bytes.isEmpty { store(gap == .line ? 0x0A : 0x20) }
        gap = .none
        store(byte)
    }

    private mutating func store(_ byte: UInt8) {
        if bytes.count < limit { bytes.append(byte) } else { isCut = true }
    }

    /// The text, ending with a whole character and without what is encoded in it, and whether there was more.
    func finished() -> (text: String, isCut: Bool) {
        var text = String(decoding: EncodedRuns.removed(from: Array(bytes.prefix(wholeCount))), as: UTF8.self)
        // What was cut off may have belonged to the last character.
        if isCut, !text.isEmpty { text.removeLast() }
        return (text, isCut || hasMore)
    }

    /// Without a last code point of which bytes are missing.
    private var wholeCount: Int {
        guard isCut, let start = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes.count }
        let length = bytes[start] < 0x80 ? 1 : bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : 2
        return start + length > bytes.count ? start : bytes.count
    }
}
