import Foundation

extension PredicateDate {
    /// Reads `2026-01-15T10:30:05.25Z` and its shorter forms, down to a year; without `Z` or an offset it is local time.
    init?(iso text: String, timeZone: TimeZone) {
        var reader = ISOReader(Array(text.utf8))
        guard let parts = reader.parts(), let start = parts.start(in: timeZone) else { return nil }
        self = start
    }
}

/// The fields that a date in ISO 8601 names, and how many of them it names.
struct ISOParts: Equatable {
    var year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0
    var nanoseconds: Int32 = 0
    /// Seconds east of UTC; nil is local time.
    var offset: Int?
    var precision = Precision.year

    enum Precision: Int { case year, month, day, hour, minute, second }

    /// The first instant that the fields name; nil if the calendar has no such date.
    func start(in timeZone: TimeZone) -> PredicateDate? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = offset.flatMap { TimeZone(secondsFromGMT: $0) } ?? timeZone
        // Noon exists on every day, midnight does not where clocks go forward at it.
        let isDay = precision.rawValue <= Precision.day.rawValue
        let components = DateComponents(
            year: year, month: month, day: day, hour: isDay ? 12 : hour, minute: minute, second: second)
        guard let date = calendar.date(from: components) else { return nil }
        let back = calendar.dateComponents([.year, .month, .day], from: date)
        guard back.year == year, back.month == month, back.day == day else { return nil }
        let start = isDay ? calendar.startOfDay(for: date) : date
        return PredicateDate(seconds: PredicateDate(start).seconds, nanoseconds: nanoseconds)
    }
}

struct ISOReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func parts() -> ISOParts? {
        var parts = ISOParts()
        guard let year = number(4), year > 0 else { return nil }
        parts.year = year
        if take("-") {
            guard let month = number(2), (1...12).contains(month) else { return nil }
            (parts.month, parts.precision) = (month, .month)
            if take("-") {
                guard let day = number(2), (1...31).contains(day) else { return nil }
                (parts.day, parts.precision) = (day, .day)
                if take("T") || take("t") || take(" ") { guard time(&parts) else { return nil } }
            }
        }
        return place == bytes.count ? parts : nil
    }

    private mutating func time(_ parts: inout ISOParts) -> Bool {
        guard let hour = number(2), hour < 24 else { return false }
        (parts.hour, parts.precision) = (hour, .hour)
        if take(":") {
            guard let minute = number(2), minute < 60 else { return false }
            (parts.minute, parts.precision) = (minute, .minute)
            if take(":") {
                guard let second = number(2), second < 60 else { return false }
                (parts.second, parts.precision) = (second, .second)
                if take(".") { guard fraction(&parts) else { return false } }
            }
        }
        return zone(&parts)
    }

    private mutating func fraction(_ parts: inout ISOParts) -> Bool {
        var digits = 0
        var value: Int32 = 0
        while place < bytes.count, (48...57).contains(bytes[place]) {
            if digits < 9 {
                value = value * 10 + Int32(bytes[place] - 48)
                digits += 1
            }
            place += 1
        }
        for _ in digits..<9 { value *= 10 }
        parts.nanoseconds = value
        return digits > 0
    }

    private mutating func zone(_ parts: inout ISOParts) -> Bool {
        if place == bytes.count { return true }
        if take("Z") || take("z") {
            parts.offset = 0
            return true
        }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(2), hours <= 14 else { return false }
        _ = take(":")
        let minutes = place < bytes.count ? number(2) : 0
        guard let minutes, minutes < 60 else { return false }
        parts.offset = (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
        return true
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard place < bytes.count, UInt32(bytes[place]) == character.value else { return false }
        place += 1
        return true
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard place + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[place..<place + digits] {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        place += digits
        return value
    }
}
