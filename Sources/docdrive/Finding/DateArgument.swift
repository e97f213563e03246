import ArgumentParser
import DriveCore
import Foundation

/// 2026-08-21, 2026-08-21T14:03, `2 days ago`, a span such as 2h, which means so long ago, or `today` and `yesterday`, which
/// begin at midnight.
struct DateArgument: Sendable {
    let time: FileTime
    /// As it was given: `2 days ago` is another time tomorrow.
    let text: String

    /// Nil for anything else, and for days that no calendar has.
    init?(_ text: String) {
        self.text = text
        let now = Date().timeIntervalSince1970
        if let span = Span(text) {
            time = FileTime(seconds: Int64(now - span.seconds))
        } else if let days = (["today": 0, "yesterday": 1] as [String: Int32])[text] {
            time = FileTime(seconds: Self.midnight(daysAgo: days, now))
        } else if let ago = Self.ago(text) {
            time = FileTime(seconds: Int64(now - ago))
        } else if let seconds = CalendarTime(text)?.seconds {
            time = FileTime(seconds: seconds)
        } else {
            return nil
        }
    }

    /// As options take it.
    @Sendable static func argument(_ text: String) throws(ValidationError) -> DateArgument {
        if let date = DateArgument(text) { return date }
        throw ValidationError(
            "a time is a day that there is, such as 2026-08-21 or 2026-08-21T14:03, or yesterday, '3 days ago', 2h, 30min, 6mo"
        )
    }

    private static func ago(_ text: String) -> Double? {
        let parts = text.split(separator: " ")
        let units: [Substring: Double] = [
            "second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 2_629_800,
            "year": 31_557_600,
        ]
        guard parts.count == 3, parts[2] == "ago", let number = DecimalNumber.read(parts[0]) else { return nil }
        let unit = parts[1].hasSuffix("s") ? parts[1].dropLast() : parts[1]
        return units[unit].map { min($0 * number, Span.longest) }
    }

    /// In the local time zone, where a day need not have 24 hours.
    private static func midnight(daysAgo days: Int32, _ now: Double) -> Int64 {
        var (time, parts) = (time_t(now), tm())
        localtime_r(&time, &parts)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (0, 0, 0)
        parts.tm_mday -= days
        return LocalClock.moment(parts)
    }
}

/// A day of the calendar, and a time of day or its beginning: 2026-08-21, 2026-08-21T14:03, 2026-08-21 14:03:07.
struct CalendarTime {
    private var parts = tm()

    /// Nil where the calendar has no such day, or the day no such time.
    init?(_ text: String) {
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard let day = Self.numbers(halves[0], "-"), day.count == 3, halves[0].prefix(5).last == "-",
            let time = halves.count == 1 ? [] : Self.numbers(halves[1], ":"), halves.count == 1 || time.count > 1,
            zip(time, [23, 59, 59]).allSatisfy({ $0 <= $1 }), time.count <= 3
        else { return nil }
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (day[0] - 1900, day[1] - 1, day[2])
        // What rolls over to another day was none.
        var same = parts
        guard timegm(&same) != -1, same.tm_mon == parts.tm_mon, same.tm_mday == parts.tm_mday else {
            return nil
        }
        let clock = time + [0, 0, 0]
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (clock[0], clock[1], clock[2])
    }

    /// In the local time zone, since 1970.
    var seconds: Int64 { LocalClock.moment(parts) }

    private static func numbers(_ text: Substring, _ separator: Character) -> [Int32]? {
        let fields = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = fields.compactMap { field in
            field.utf8.allSatisfy { (0x30...0x39).contains($0) } && field.count <= 4 ? Int32(field) : nil
        }
        return numbers.count == fields.count ? numbers : nil
    }
}
