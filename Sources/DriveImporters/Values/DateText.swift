import DriveImporting
import Glibc

/// Dates as documents write them: "2026-11-22T10:00:00.5Z", "2026-11-22T10:00:00+01", "2026-11-22 10:00:00 +0100",
/// "2026-11-22 10:00:00 UTC", "2026:11:22 10:00:00", "2026-11-22".
enum DateText {
    /// Without a zone, the time is that of this machine.
    static func parse(_ text: String) -> ImportedDate? {
        var scanner = Scanner(text)
        guard let year = scanner.number(4), scanner.skip("-:"), let month = scanner.number(2), scanner.skip("-:"),
            let day = scanner.number(2), (1...12).contains(month), (1...days(in: month, of: year)).contains(day)
        else { return nil }
        var hour = 0, minute = 0, second = 0, nanoseconds = 0
        if scanner.skip("T ") {
            guard let hours = scanner.number(2), scanner.skip(":"), let minutes = scanner.number(2), hours < 25,
                minutes < 60
            else { return nil }
            (hour, minute) = (hours, minutes)
            if scanner.skip(":") { second = min(scanner.number(2) ?? 0, 60) }
            if scanner.skip(".,") { nanoseconds = scanner.fraction() }
        }
        var time = tm()
        time.tm_year = Int32(year - 1900)
        time.tm_mon = Int32(month - 1)
        time.tm_mday = Int32(day)
        time.tm_hour = Int32(hour)
        time.tm_min = Int32(minute)
        time.tm_sec = Int32(second)
        time.tm_isdst = -1
        let seconds: Int
        if let offset = scanner.zone() { seconds = timegm(&time) - offset } else { seconds = mktime(&time) }
        return ImportedDate(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds))
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private struct Scanner {
        private var rest: Substring.UTF8View

        init(_ text: String) { rest = Substring(text).utf8 }

        mutating func number(_ digits: Int) -> Int? {
            let taken = rest.prefix(digits)
            guard taken.count == digits, taken.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest.dropFirst(digits)
            return taken.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }

        mutating func skip(_ any: String) -> Bool {
            guard let first = rest.first, any.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// In nanoseconds.
        mutating func fraction() -> Int {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            let nine = Array(digits.prefix(9)) + Array(repeating: 0x30, count: max(0, 9 - digits.count))
            return nine.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }

        /// East of Greenwich, in seconds; nil without a zone.
        mutating func zone() -> Int? {
            while skip(" ") {}
            if skip("Zz") || rest.starts(with: "UTC".utf8) || rest.starts(with: "GMT".utf8) { return 0 }
            let isWest = rest.first == UInt8(ascii: "-")
            guard skip("+-"), let hours = number(2) else { return nil }
            _ = skip(":'")
            let offset = hours * 3600 + (number(2) ?? 0) * 60
            return isWest ? -offset : offset
        }
    }
}
