import ArgumentParser
import DriveCore

/// A span of time as people write it: 30s, 10m, 2h, 7d; a bare number is seconds.
struct Span: ExpressibleByArgument, Sendable {
    /// At most `longest`.
    let seconds: Double

    /// Thirty thousand years: nobody means more, and every clock can count with it.
    static let longest = 1e12

    init?(argument: String) {
        let units: [Substring: Double] = ["": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400]
        let digits = argument.prefix { !$0.isLetter }
        guard let number = DecimalNumber.read(digits), let unit = units[argument.dropFirst(digits.count)] else {
            return nil
        }
        seconds = min(number * unit, Self.longest)
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
