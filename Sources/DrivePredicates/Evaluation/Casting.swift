import Foundation

/// What CAST makes of values. nil stays nil; what says no value of the type is nil; a kind that has no way is an error.
enum Casting {
    static func value(_ value: PredicateValue, as type: CastType) throws -> PredicateValue {
        if value.isNull { return .null }
        switch type {
        case .date: return try date(value)
        case .number: return try number(value)
        case .string: return try string(value)
        case .data: return try data(value)
        case .dictionary:
            if case .dictionary = value { return value }
            if case .list(let pairs) = value, let dictionary = PredicateValue.dictionary(pairs: pairs) {
                return dictionary
            }
        }
        throw fault(value, type)
    }

    private static func date(_ value: PredicateValue) throws -> PredicateValue {
        if let number = value.number { return PredicateDate(number: number).map { .date($0) } ?? .null }
        switch value {
        case .date: return value
        case .string(let text):
            return PredicateDate(iso: text, timeZone: .gmt).map { .date($0) } ?? .null
        default: throw fault(value, .date)
        }
    }

    private static func number(_ value: PredicateValue) throws -> PredicateValue {
        switch value {
        case .bool(let flag): return .integer(flag ? 1 : 0)
        case .integer, .real: return value
        case .date(let date): return seconds(date)
        case .string(let text):
            let digits = text.trimmingCharacters(in: .whitespaces)
            return Int64(digits).map { .integer($0) } ?? Double(digits).map { .real($0) } ?? .null
        default: throw fault(value, .number)
        }
    }

    private static func string(_ value: PredicateValue) throws -> PredicateValue {
        if let number = value.number { return .string(text(number)) }
        switch value {
        case .string: return value
        case .date(let date): return .string(date.iso)
        case .data(let bytes): return .string(Data(bytes).base64EncodedString())
        default: throw fault(value, .string)
        }
    }

    private static func data(_ value: PredicateValue) throws -> PredicateValue {
        switch value {
        case .data: return value
        case .string(let text): return Data(base64Encoded: text).map { .data(Array($0)) } ?? .null
        default: throw fault(value, .data)
        }
    }

    /// Seconds since 2001, whole where the date is.
    static func seconds(_ date: PredicateDate) -> PredicateValue {
        date.interval(since: PredicateDate(seconds: PredicateDate.reference)).value
    }

    /// As NSNumber writes numbers: no fraction where there is none.
    static func text(_ number: PredicateNumber) -> String {
        switch number {
        case .integer(let value): String(value)
        case .real(let value): abs(value) < 1e15 ? Int64(exactly: value).map { String($0) } ?? "\(value)" : "\(value)"
        }
    }

    private static func fault(_ value: PredicateValue, _ type: CastType) -> PredicateEvaluationError {
        PredicateEvaluationError(.wrongKind, "CAST makes no \(type.rawValue) of \(value.kindName)")
    }
}

extension PredicateDate {
    /// `2026-01-15T10:30:05.25Z`.
    var iso: String {
        let days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
        let rest = seconds - days * 86400
        let date = CivilDate(day: days)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var text = "\(date.yearText)-\(two(date.month))-\(two(date.day))"
        text += "T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
        if nanoseconds > 0 {
            let digits = String(nanoseconds)
            text += "." + String(repeating: "0", count: 9 - digits.count) + digits
            while text.hasSuffix("0") { text.removeLast() }
        }
        return text + "Z"
    }
}

/// A day of the Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
private struct CivilDate {
    let year: Int64
    let month: Int64
    let day: Int64

    init(day number: Int64) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * part + 2) / 5 + 1
        month = part < 10 ? part + 3 : part - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var yearText: String {
        let digits = String(year.magnitude)
        return (year < 0 ? "-" : "") + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
