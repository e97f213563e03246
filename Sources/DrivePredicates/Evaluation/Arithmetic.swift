import Foundation

/// Arithmetic that cannot trap: integers stay integers while they fit in 64 bits, then they become real; what is divided
/// by zero is infinite or NaN. With nil the result is nil.
enum Arithmetic {
    static func value(_ left: PredicateValue, _ arithmetic: ArithmeticOperator, _ right: PredicateValue) throws
        -> PredicateValue
    {
        if left.isNull || right.isNull { return .null }
        if let dated = dated(left, arithmetic, right) { return dated }
        guard let a = left.number else {
            throw PredicateEvaluationError.wrongKind(arithmetic.rawValue, left, needs: "a number")
        }
        guard let b = right.number else {
            throw PredicateEvaluationError.wrongKind(arithmetic.rawValue, right, needs: "a number")
        }
        switch arithmetic {
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight: return try bits(a, arithmetic, b)
        default: return number(a, arithmetic, b).value
        }
    }

    static func negated(_ value: PredicateValue) throws -> PredicateValue {
        if value.isNull { return .null }
        guard let number = value.number else { throw PredicateEvaluationError.wrongKind("-", value, needs: "a number") }
        return self.number(.integer(0), .subtract, number).value
    }

    /// A date and seconds give a date, two dates the seconds between them.
    private static func dated(_ left: PredicateValue, _ arithmetic: ArithmeticOperator, _ right: PredicateValue)
        -> PredicateValue?
    {
        switch (left, arithmetic, right) {
        case (.date(let date), .add, _): right.number.map { date.adding($0).map { .date($0) } ?? .null }
        case (_, .add, .date(let date)): left.number.map { date.adding($0).map { .date($0) } ?? .null }
        case (.date(let a), .subtract, .date(let b)): a.interval(since: b).value
        case (.date(let date), .subtract, _):
            right.number.map { date.adding(number(.integer(0), .subtract, $0)).map { .date($0) } ?? .null }
        default: nil
        }
    }

    static func number(_ a: PredicateNumber, _ arithmetic: ArithmeticOperator, _ b: PredicateNumber) -> PredicateNumber
    {
        if case .integer(let a) = a, case .integer(let b) = b, let exact = exact(a, arithmetic, b) {
            return .integer(exact)
        }
        switch arithmetic {
        case .add: return .real(a.double + b.double)
        case .subtract: return .real(a.double - b.double)
        case .multiply: return .real(a.double * b.double)
        case .divide: return .real(a.double / b.double)
        case .power: return .real(pow(a.double, b.double))
        default: return .real(.nan)
        }
    }

    /// Division of integers drops the rest, as in C; nil where the result is no integer of 64 bits.
    private static func exact(_ a: Int64, _ arithmetic: ArithmeticOperator, _ b: Int64) -> Int64? {
        let (value, overflow): (Int64, Bool)
        switch arithmetic {
        case .add: (value, overflow) = a.addingReportingOverflow(b)
        case .subtract: (value, overflow) = a.subtractingReportingOverflow(b)
        case .multiply: (value, overflow) = a.multipliedReportingOverflow(by: b)
        case .divide: (value, overflow) = a.dividedReportingOverflow(by: b)
        case .power: return power(a, b)
        default: return nil
        }
        return overflow ? nil : value
    }

    private static func power(_ base: Int64, _ exponent: Int64) -> Int64? {
        guard exponent >= 0 else { return nil }
        var result: Int64 = 1
        if base == 0 || base == 1 { return exponent == 0 ? 1 : base }
        if base == -1 { return exponent.isMultiple(of: 2) ? 1 : -1 }
        for _ in 0..<min(exponent, 64) {
            let (next, overflow) = result.multipliedReportingOverflow(by: base)
            if overflow { return nil }
            result = next
        }
        return result
    }

    /// What is left of a division, with the sign of the first, as in C.
    static func modulus(_ a: PredicateNumber, _ b: PredicateNumber) -> PredicateNumber {
        if case .integer(let a) = a, case .integer(let b) = b, b != 0 {
            return .integer(b == -1 ? 0 : a % b)
        }
        return .real(fmod(a.double, b.double))
    }

    private static func bits(_ a: PredicateNumber, _ arithmetic: ArithmeticOperator, _ b: PredicateNumber) throws
        -> PredicateValue
    {
        guard let a = a.exactInteger, let b = b.exactInteger else {
            throw PredicateEvaluationError(.wrongKind, "\(arithmetic.rawValue) needs whole numbers of 64 bits")
        }
        switch arithmetic {
        case .bitwiseAnd: return .integer(a & b)
        case .bitwiseOr: return .integer(a | b)
        case .bitwiseXor: return .integer(a ^ b)
        case .shiftLeft: return .integer(a << b)
        default: return .integer(a >> b)
        }
    }
}
