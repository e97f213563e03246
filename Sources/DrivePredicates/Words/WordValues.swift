import Foundation

/// The values that words write.
enum WordValues {
    static func boolean(_ word: String) -> Bool? {
        switch word.lowercased() {
        case "yes", "true", "1", "on": true
        case "no", "false", "0", "off": false
        default: nil
        }
    }

    static func number(_ word: String) -> PredicateValue? {
        let isNegative = word.hasPrefix("-")
        switch NumberLiteral.kind(isNegative ? String(word.dropFirst()) : word) {
        case .integer(let magnitude)?: return NumberLiteral.value(magnitude, isNegative: isNegative)
        case .real(let magnitude)?: return .real(isNegative ? -magnitude : magnitude)
        default: return nil
        }
    }

    private static let units: [String: Double] = [
        "": 1, "b": 1, "k": 1e3, "kb": 1e3, "ki": 0x1p10, "kib": 0x1p10, "m": 1e6, "mb": 1e6, "mi": 0x1p20,
        "mib": 0x1p20, "g": 1e9, "gb": 1e9, "gi": 0x1p30, "gib": 0x1p30, "t": 1e12, "tb": 1e12, "ti": 0x1p40,
        "tib": 0x1p40, "p": 1e15, "pb": 1e15, "pi": 0x1p50, "pib": 0x1p50,
    ]

    /// `10mb` is 10,000,000 bytes, `10mib` 10,485,760.
    static func size(_ word: String) -> PredicateValue? {
        let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let unit = units[word.dropFirst(digits.count).lowercased()] else { return nil }
        guard let count = NumberLiteral.kind(String(digits)) else { return nil }
        let bytes: Double
        switch count {
        case .integer(let whole) where unit == 1: return NumberLiteral.value(whole, isNegative: false)
        case .integer(let whole): bytes = Double(whole) * unit
        case .real(let count): bytes = count * unit
        default: return nil
        }
        return Int64(exactly: bytes.rounded()).map { .integer($0) }
    }
}

/// A time that a word names.
enum WordTime {
    /// From the first instant up to the second, without it.
    case span(PredicateDate, PredicateDate)
    /// So long ago: `30d`.
    case ago(PredicateDate)

    var start: PredicateDate {
        switch self {
        case .span(let start, _): start
        case .ago(let instant): instant
        }
    }

    /// Whether it ends at an instant, or later.
    func reaches(_ instant: PredicateDate) -> Bool {
        switch self {
        case .span(_, let end): instant < end
        case .ago(let last): instant <= last
        }
    }

    private static let spans: [String: (QueryContext.Unit, Int)] = [
        "today": (.day, 0), "yesterday": (.day, -1), "tomorrow": (.day, 1), "week": (.week, 0), "thisweek": (.week, 0),
        "lastweek": (.week, -1), "nextweek": (.week, 1), "month": (.month, 0), "thismonth": (.month, 0),
        "lastmonth": (.month, -1), "nextmonth": (.month, 1), "year": (.year, 0), "thisyear": (.year, 0),
        "lastyear": (.year, -1), "nextyear": (.year, 1),
    ]

    init?(_ word: String, _ context: QueryContext) {
        let name = word.lowercased().filter { $0 != "-" && $0 != "_" }
        if let (unit, distance) = Self.spans[name] {
            guard let start = context.start(of: unit, distance), let end = context.start(of: unit, distance + 1) else {
                return nil
            }
            self = .span(start, end)
            return
        }
        if let instant = Self.ago(word.lowercased(), context) {
            self = .ago(instant)
            return
        }
        var reader = ISOReader(Array(word.utf8))
        guard let parts = reader.parts(), let start = parts.start(in: context.timeZone),
            let end = context.end(of: parts)
        else { return nil }
        self = .span(start, end)
    }

    /// `90s`, `30min`, `12h`, `30d`, `2w`, `6m` or `6mo`, `1y` before now.
    private static func ago(_ word: String, _ context: QueryContext) -> PredicateDate? {
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count <= 1_000_000_000 else { return nil }
        switch word.dropFirst(digits.count) {
        case "s", "sec": return context.now.adding(.integer(-Int64(count)))
        case "min": return context.now.adding(.integer(-60 * Int64(count)))
        case "h": return context.now.adding(.integer(-3600 * Int64(count)))
        case "d": return context.now(adding: -count, .day)
        case "w": return context.now(adding: -count, .week)
        case "m", "mo": return context.now(adding: -count, .month)
        case "y": return context.now(adding: -count, .year)
        default: return nil
        }
    }
}
