/// Whether one of two texts has all that the other has.
public enum LineContainment: Hashable, Sendable {
    /// The second has each line of the first, in the same order, or begins with it.
    case firstInSecond
    case secondInFirst
    /// Each has lines that the other has not.
    case neither
    /// At least one is no text (UTF-8 without a zero byte), or is too large to compare: `ConflictClass.greatestSize`.
    case unknown

    public init(_ first: [UInt8], _ second: [UInt8]) {
        guard max(first.count, second.count) <= ConflictClass.greatestSize, ConflictClass.isText(first),
            ConflictClass.isText(second)
        else {
            self = .unknown
            return
        }
        if Self.contains(second, first) {
            self = .firstInSecond
        } else if Self.contains(first, second) {
            self = .secondInFirst
        } else {
            self = .neither
        }
    }

    /// A beginning counts too: a last line without an end is there in the longer one that goes on from it.
    private static func contains(_ whole: [UInt8], _ part: [UInt8]) -> Bool {
        guard part.count <= whole.count else { return false }
        if whole.starts(with: part) { return true }
        var numbering = LineNumbering()
        let lines = numbering.number(part)
        return lines.isSubsequence(of: numbering.number(whole))
    }
}
