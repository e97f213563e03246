import Foundation

/// When another try is welcome (RFC 9110, section 10.2.3): in seconds, or as a date.
enum RetryAfter {
    /// Longer than that is a mistake of the server's, and its users would call the drive dead.
    static let longest = 86_400.0

    /// Seconds from now; nil where the answer does not say. A date is compared with the server's own clock where it
    /// tells it.
    static func seconds(_ answer: HTTPAnswer, now: Date = Date()) -> Double? {
        guard let text = answer["Retry-After"]?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return min(Double(text) ?? longest, longest) }
        guard let date = HTTPDate.seconds(text) else { return nil }
        let clock = answer["Date"].flatMap(HTTPDate.seconds) ?? now.timeIntervalSince1970
        return min(max(date - clock, 0), longest)
    }
}

/// Dates of HTTP (RFC 9110, section 5.6.7): the form that is sent, and the two old ones that must be understood.
enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Seconds since 1970; nil where the text is no such date.
    static func seconds(_ text: String) -> Double? {
        let words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT; Sun Nov  6 08:49:37 1994
        guard words.count >= 5 else { return nil }
        let isOldest = words[3].contains(":")
        let (day, month, year, time) =
            isOldest ? (words[2], words[1], words[4], words[3]) : (words[1], words[2], words[3], words[4])
        guard let day = Int(day), let month = months.firstIndex(of: month), var year = Int(year) else { return nil }
        if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
        let clock = time.split(separator: ":").map { Int($0) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2] else { return nil }
        guard (1...31).contains(day), (1970...9999).contains(year), (0...23).contains(hour), (0...59).contains(minute),
            (0...60).contains(second)
        else { return nil }
        return Double(days(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// Days since 1970 of a date in the Gregorian calendar, with years that begin in March.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month > 2 ? year : year - 1
        let (era, ofEra) = (years / 400, years % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + dayOfYear - 719_468
    }
}
