import Foundation

/// The functions of predicates over values. Any argument that is nil makes the result nil.
enum Functions {
    static func value(_ function: PredicateFunction, _ arguments: [PredicateValue], _ context: EvaluationContext) throws
        -> PredicateValue
    {
        if function.isAggregate { return try aggregate(function, arguments) }
        if arguments.contains(where: \.isNull) { return .null }
        switch function {
        case .now: return .date(context.now)
        case .random: return try random(arguments.first, context)
        case .noindex: return arguments[0]
        case .uppercase: return .string(try text(function, arguments[0]).uppercased())
        case .lowercase: return .string(try text(function, arguments[0]).lowercased())
        case .length: return try length(arguments[0])
        case .tokenize: return tokens(try text(function, arguments[0]), try text(function, arguments[1]))
        case .distance: return .real(try Places.distance(arguments[0], arguments[1]))
        case .modulus:
            return Arithmetic.modulus(try number(function, arguments[0]), try number(function, arguments[1])).value
        default: return try calculated(function, try number(function, arguments[0]))
        }
    }

    /// One list, or its values as arguments.
    private static func aggregate(_ function: PredicateFunction, _ arguments: [PredicateValue]) throws -> PredicateValue
    {
        var values = arguments
        if arguments.count == 1 {
            switch arguments[0] {
            case .null: return .null
            case .list(let list): values = list
            case .dictionary(let dictionary): values = Array(dictionary.values)
            default: break
            }
        }
        switch function {
        case .sum: return try Collecting.sum(values, "sum").value
        case .count: return .integer(Int64(values.count))
        case .min: return try Collecting.extreme(values, .ascending)
        case .max: return try Collecting.extreme(values, .descending)
        case .average: return try Collecting.average(values, "average")
        case .median: return try Collecting.median(values)
        case .mode: return try Collecting.mode(values)
        default: return try Collecting.deviation(values)
        }
    }

    private static func calculated(_ function: PredicateFunction, _ number: PredicateNumber) throws -> PredicateValue {
        switch (function, number) {
        case (.abs, .integer(let value)):
            return value < 0 ? Arithmetic.number(.integer(0), .subtract, number).value : .integer(value)
        case (.abs, .real(let value)): return .real(Swift.abs(value))
        case (.ceiling, .integer), (.floor, .integer), (.trunc, .integer): return number.value
        case (.ceiling, .real(let value)): return .real(value.rounded(.up))
        case (.floor, .real(let value)): return .real(value.rounded(.down))
        case (.trunc, .real(let value)): return .real(value.rounded(.towardZero))
        case (.sqrt, _): return .real(number.double.squareRoot())
        case (.ln, _): return .real(Foundation.log(number.double))
        case (.log, _): return .real(log10(number.double))
        case (.exp, _): return .real(Foundation.exp(number.double))
        case (.onesComplement, _):
            guard let whole = number.exactInteger else {
                throw PredicateEvaluationError(.wrongKind, "onesComplement needs a whole number of 64 bits")
            }
            return .integer(~whole)
        default: return .null
        }
    }

    /// Without an argument a real number from 0 up to 1, else a whole one from 0 up to the argument.
    private static func random(_ limit: PredicateValue?, _ context: EvaluationContext) throws -> PredicateValue {
        let fraction = min(max(context.random(), 0), 1.0.nextDown)
        guard let limit else { return .real(fraction) }
        guard let number = limit.number, let whole = number.truncated.exactInteger, whole > 0 else {
            throw PredicateEvaluationError(.wrongKind, "random needs a number above 0")
        }
        return .integer(min(Int64(clamping: Int(fraction * Double(whole))), whole - 1))
    }

    /// In UTF-16, as NSString counts.
    private static func length(_ value: PredicateValue) throws -> PredicateValue {
        switch value {
        case .string(let text): .integer(Int64(text.utf16.count))
        case .data(let bytes): .integer(Int64(bytes.count))
        case .list(let values): .integer(Int64(values.count))
        default: throw PredicateEvaluationError.wrongKind("length", value, needs: "a string")
        }
    }

    /// The words of a text; letters `c` and `d` in the second argument fold them.
    private static func tokens(_ text: String, _ letters: String) -> PredicateValue {
        var options: ComparisonOptions = []
        if letters.lowercased().contains("c") { options.insert(.caseInsensitive) }
        if letters.lowercased().contains("d") { options.insert(.diacriticInsensitive) }
        let words = TextFolding.typed(text, options).composed.unicodeScalars.split { !WordBreaks.isInWord($0) }
        return .list(words.map { .string(TextFolding.folded(String($0), options)) })
    }

    private static func text(_ function: PredicateFunction, _ value: PredicateValue) throws -> String {
        guard case .string(let text) = value else {
            throw PredicateEvaluationError.wrongKind(function.rawValue, value, needs: "a string")
        }
        return text
    }

    private static func number(_ function: PredicateFunction, _ value: PredicateValue) throws -> PredicateNumber {
        guard let number = value.number else {
            throw PredicateEvaluationError.wrongKind(function.rawValue, value, needs: "a number")
        }
        return number
    }
}

/// Places on the earth, as `{latitude, longitude}` or a dictionary with these keys, in degrees.
enum Places {
    /// Metres along a great circle of the mean earth.
    static func distance(_ a: PredicateValue, _ b: PredicateValue) throws -> Double {
        let (a, b) = (try place(a), try place(b))
        let rise = (b.latitude - a.latitude) / 2
        let turn = (b.longitude - a.longitude) / 2
        let chord = pow(sin(rise), 2) + cos(a.latitude) * cos(b.latitude) * pow(sin(turn), 2)
        return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
    }

    private static func place(_ value: PredicateValue) throws -> (latitude: Double, longitude: Double) {
        var parts: [PredicateValue?] = []
        switch value {
        case .list(let values): parts = values
        case .dictionary(let values): parts = [values["latitude"], values["longitude"]]
        default: break
        }
        guard parts.count == 2, let latitude = parts[0]?.number, let longitude = parts[1]?.number else {
            throw PredicateEvaluationError.wrongKind(
                PredicateFunction.distance.rawValue, value, needs: "places as {latitude, longitude}")
        }
        return (latitude.double * .pi / 180, longitude.double * .pi / 180)
    }
}
