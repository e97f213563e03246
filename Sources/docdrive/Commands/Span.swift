import ArgumentParser
import DriveCore

/// A span of time as people write it: 30s, 10m, 2h, 7d, 2w, 6mo, 1y. Here `m` is minutes; among the words of a query it is
/// months, and `min` and `mo` are the same in both.
struct Span: Sendable {
    /// At most `longest`.
    let seconds: Double

    /// Thirty thousand years: nobody means more, and every clock can count with it.
    static let longest = 1e12

    /// Nil for anything else, and for a number alone: 30 may be meant as seconds by one and as days by another.
    init?(_ text: String) {
        let units: [Substring: Double] = [
            "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800, "mo": 2_629_800, "y": 31_557_600,
        ]
        let digits = text.prefix { !$0.isLetter }
        guard let number = DecimalNumber.read(digits) else { return nil }
        // Nothing is nothing in any unit.
        guard let unit = units[text.dropFirst(digits.count)] ?? (text == "0" ? 0 : nil) else { return nil }
        seconds = min(number * unit, Self.longest)
    }

    /// As options take it.
    @Sendable static func argument(_ text: String) throws(ValidationError) -> Span {
        if let span = Span(text) { return span }
        guard DecimalNumber.read(text) != nil else {
            throw ValidationError("a time is a number and its unit: 30s, 10m (minutes), 2h, 7d, 2w, 6mo, 1y")
        }
        throw ValidationError("a time needs its unit: \(text)s, \(text)m (minutes), \(text)h or \(text)d")
    }
}

/// How long something lasted, counted in days: 30, 30d, or another span of time.
struct Age: Sendable {
    let span: Span

    private init(_ span: Span) { self.span = span }

    /// As options take it.
    @Sendable static func argument(_ text: String) throws(ValidationError) -> Age {
        guard let span = Span(DecimalNumber.read(text) == nil ? text : text + "d") else {
            throw ValidationError(
                "an age is a number of days, or a time with its unit: 30, 30d, 12h, 6mo; m is minutes")
        }
        return Age(span)
    }
}

/// A number as people write one.
enum DecimalNumber {
    /// Digits, with a point among them or not. Nil for what only programs read: signs, powers, 0x10, inf.
    static func read(_ text: some StringProtocol) -> Double? {
        let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        return isPlain ? Double(text) : nil
    }
}

/// How many lines of a list are asked for.
enum ListLimit {
    static func check(_ limit: Int) throws(DriveError) {
        if limit < 0 { throw DriveError(.usage, "--limit takes a number from 0 on", path: "\(limit)") }
    }
}
