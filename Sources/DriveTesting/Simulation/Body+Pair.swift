// Contents of two lines that are far from each other: who edits the one can be merged with who edits the other.
extension Body {
    private static let pairs = 1 << 50
    private static let lines = 1 << 20

    init(top: Int, bottom: Int) { self.init(number: Self.pairs + top * Self.lines + bottom) }

    var isPair: Bool { number >= Self.pairs }

    /// Nil where it has none.
    var parts: (top: Int, bottom: Int)? {
        guard isPair else { return nil }
        return ((number - Self.pairs) / Self.lines, number % Self.lines)
    }

    static func bytes(top: Int, bottom: Int) -> [UInt8] { Array("top \(top)\n-\n-\n-\n-\nbottom \(bottom)\n".utf8) }

    /// Nil for other bytes.
    static func pair(_ bytes: [UInt8]) -> Body? {
        guard bytes.starts(with: "top ".utf8) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let top = lines.first.flatMap({ Int($0.dropFirst(4)) }), top < Self.lines,
            let bottom = lines.last.flatMap({ Int($0.dropFirst(7)) }), bottom < Self.lines,
            self.bytes(top: top, bottom: bottom) == bytes
        else { return nil }
        return Body(top: top, bottom: bottom)
    }
}
