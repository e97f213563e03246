/// Gives equal lines equal numbers.
struct LineNumbering {
    private var numbers: [ArraySlice<UInt8>: Int] = [:]

    /// A last line without an end is another line than one with it.
    mutating func number(_ text: [UInt8]) -> [Int] {
        text.lines.map { line in
            if let known = numbers[line] { return known }
            defer { numbers[line] = numbers.count }
            return numbers.count
        }
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

extension [UInt8] {
    /// Each with its end; the last one may have none.
    package var lines: [ArraySlice<UInt8>] {
        var result: [ArraySlice<UInt8>] = []
        var start = startIndex
        while start < endIndex {
            let end = self[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? endIndex
            result.append(self[start..<end])
            start = end
        }
        return result
    }
}
