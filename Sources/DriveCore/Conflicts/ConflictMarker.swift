/// What the name of a conflict copy says.
struct ConflictMarker: Hashable {
    var original: FileName
    /// Where the marker does not tell its beginning: the other names that the original may have.
    var otherOriginals: [FileName] = []
    /// A device or user, as the program writes it.
    var device: String?
    /// As the program writes it, nil where it writes none.
    var time: String?
}

/// A date, or a date and a time down to minutes or seconds: that they are those of a calendar tells a marker from a
/// name that only looks like one.
struct ConflictTime: Hashable {
    /// Year, month, day, hour, minute, second; as many as there are.
    var fields: [Int]

    init?(_ text: String) {
        let digits = text.utf8.filter { (0x30...0x39).contains($0) }.map { Int($0) - 0x30 }
        guard [8, 12, 14].contains(digits.count) else { return nil }
        let year = digits[..<4].reduce(0) { $0 * 10 + $1 }
        let rest = stride(from: 4, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
        guard (1...12).contains(rest[0]), (1...Self.days(inMonth: rest[0], of: year)).contains(rest[1]) else {
            return nil
        }
        // A minute may have a leap second.
        guard zip(rest.dropFirst(2), [24, 60, 61]).allSatisfy({ $0 < $1 }) else { return nil }
        fields = [year] + rest
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
