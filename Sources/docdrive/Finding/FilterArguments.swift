import ArgumentParser
import DriveCore
import Foundation

struct KindArgument: ExpressibleByArgument, Sendable {
    let kind: ItemKind
    /// As it was given.
    let text: String

    init?(argument: String) {
        let kinds: [ItemKind] = [.file, .folder, .link]
        guard let kind = kinds.first(where: { $0.word == argument }) else { return nil }
        self.kind = kind
        text = argument
    }
}

/// `10kb..`, `..5MiB`, `1kb..2kb`, or one size exactly.
struct SizeRange: ExpressibleByArgument, Sendable {
    let range: ClosedRange<UInt64>
    /// As it was given.
    let text: String

    init?(argument: String) {
        text = argument
        guard let dots = argument.range(of: "..") else {
            guard let size = Self.size(argument) else { return nil }
            range = size...size
            return
        }
        let (low, high) = (argument[..<dots.lowerBound], argument[dots.upperBound...])
        guard let least = low.isEmpty ? 0 : Self.size(low), let most = high.isEmpty ? .max : Self.size(high),
            least <= most
        else { return nil }
        range = least...most
    }

    /// 10, 10kb (1,000), 10KiB (1,024) and so on.
    static func size(_ text: some StringProtocol) -> UInt64? {
        let lower = text.lowercased()
        let digits = lower.prefix { $0.isNumber || $0 == "." }
        let units: [String: Double] = [
            "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
            "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824, "tib": 1_099_511_627_776,
        ]
        guard let number = Double(digits), let unit = units[String(lower.dropFirst(digits.count))] else { return nil }
        let value = number * unit
        return value < 1e19 ? UInt64(value) : nil
    }
}

/// 2026-08-21, 2026-08-21T14:03, `2 days ago`, a span such as 2h, which means so long ago, or `today` and `yesterday`, which
/// begin at midnight.
struct DateArgument: ExpressibleByArgument, Sendable {
    let time: FileTime
    /// As it was given: `2 days ago` is another time tomorrow.
    let text: String

    init?(argument: String) {
        text = argument
        let now = Date().timeIntervalSince1970
        if let span = Span(argument) {
            time = FileTime(seconds: Int64(now - span.seconds))
        } else if let days = (["today": 0, "yesterday": 1] as [String: Int32])[argument] {
            time = FileTime(seconds: Self.midnight(daysAgo: days, now))
        } else if let ago = Self.ago(argument) {
            time = FileTime(seconds: Int64(now - ago))
        } else if let seconds = Self.calendar(argument) {
            time = FileTime(seconds: seconds)
        } else {
            return nil
        }
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
        (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (0, 0, 0, -1)
        parts.tm_mday -= days
        return Int64(mktime(&parts))
    }

    /// In the local time zone.
    private static func calendar(_ text: String) -> Int64? {
        let fields = text.split { $0 == "-" || $0 == "T" || $0 == " " || $0 == ":" }
        let numbers = fields.compactMap { Int32($0) }
        guard numbers.count == fields.count, [3, 5, 6].contains(numbers.count), (1...12).contains(numbers[1]),
            (1...31).contains(numbers[2])
        else { return nil }
        var parts = tm()
        parts.tm_year = numbers[0] - 1900
        parts.tm_mon = numbers[1] - 1
        parts.tm_mday = numbers[2]
        parts.tm_hour = numbers.count > 3 ? numbers[3] : 0
        parts.tm_min = numbers.count > 4 ? numbers[4] : 0
        parts.tm_sec = numbers.count > 5 ? numbers[5] : 0
        parts.tm_isdst = -1
        return Int64(mktime(&parts))
    }
}
