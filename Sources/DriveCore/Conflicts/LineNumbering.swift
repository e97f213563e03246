/// Gives equal lines equal numbers.
struct LineNumbering {
    private var numbers: [ArraySlice<UInt8>: Int] = [:]

    /// A last line without an end is another line than one with it.
    mutating func number(_ text: [UInt8]) -> [Int] {
        var result: [Int] = []
        var start = text.startIndex
        while start < text.endIndex {
            let end = text[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.endIndex
            let next = numbers.count
            result.append(numbers[text[start..<end], default: next])
            if result.last == next { numbers[text[start..<end]] = next }
            start = end
        }
        return result
    }
}

extension [Int] {
    func isSubsequence(of other: [Int]) -> Bool {
        guard count <= other.count else { return false }
        var place = 0
        for line in other where place < count && self[place] == line { place += 1 }
        return place == count
    }
}
