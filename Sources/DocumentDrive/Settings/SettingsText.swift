/// The part of TOML 1.0 that settings need: lines of `key = value` with text, whole numbers, true and false.
///
/// A file that says more (tables, lists, dates, text of several lines) is refused with its line rather than half understood.
/// The parser is our own because the Swift package for TOML ends the process over some odd files, and people edit this one.
struct SettingsText {
    enum Value: Hashable, Sendable {
        case text(String)
        case number(Int)
        case flag(Bool)
    }

    /// What is wrong, and in which line (from 1).
    struct Failure: Error, Hashable, CustomStringConvertible {
        let line: Int
        let reason: String

        var description: String { "line \(line): \(reason)" }
    }

    private(set) var values: [String: Value] = [:]

    /// Throws a `Failure` for the first line that is not understood, also where a key comes twice.
    init(parsing bytes: [UInt8]) throws(Failure) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(line: Self.lineOfInvalidUTF8(bytes), reason: "is not UTF-8")
        }
        let scalars = text.unicodeScalars.drop { $0 == Self.byteOrderMark }
        let lines = scalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            do throws(SettingsLine.Failure) {
                var rest = SettingsLine(line.last == "\r" ? line.dropLast() : line)
                guard let (key, value) = try rest.assignment() else { continue }
                guard values.updateValue(value, forKey: key) == nil else {
                    throw SettingsLine.Failure(reason: "\(key) was set before")
                }
            } catch {
                throw Failure(line: index + 1, reason: error.reason)
            }
        }
    }

    /// Of some editors; no part of the first key.
    static let byteOrderMark: Unicode.Scalar = "\u{FEFF}"

    private static func lineOfInvalidUTF8(_ bytes: [UInt8]) -> Int {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
    }

    /// A basic string of TOML, with its quotes.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\0"..<" ", "\u{7F}":
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
