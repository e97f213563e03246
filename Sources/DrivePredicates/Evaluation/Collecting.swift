/// What collection operators and functions make of many values.
enum Collecting {
    static func value(_ collecting: CollectionOperator, _ values: [PredicateValue]) throws -> PredicateValue {
        switch collecting {
        case .count: return .integer(Int64(values.count))
        case .sum: return try sum(values, "@sum").value
        case .average: return try average(values, "@avg")
        case .min: return try extreme(values, .ascending)
        case .max: return try extreme(values, .descending)
        case .unionOfObjects: return .list(values.filter { !$0.isNull })
        case .distinctUnionOfObjects: return .list(distinct(values.filter { !$0.isNull }))
        case .unionOfArrays, .unionOfSets: return .list(flat(values))
        case .distinctUnionOfArrays, .distinctUnionOfSets: return .list(distinct(flat(values)))
        }
    }

    /// Missing values count as 0.
    static func sum(_ values: [PredicateValue], _ name: String) throws -> PredicateNumber {
        try values.reduce(.integer(0)) { sum, value in
            if value.isNull { return sum }
            guard let number = value.number else {
                throw PredicateEvaluationError.wrongKind(name, value, needs: "numbers")
            }
            return Arithmetic.number(sum, .add, number)
        }
    }

    /// The average of nothing is 0, as with key-value coding.
    static func average(_ values: [PredicateValue], _ name: String) throws -> PredicateValue {
        values.isEmpty ? .integer(0) : .real(try sum(values, name).double / Double(values.count))
    }

    /// The first or last in order; missing values do not count, of nothing it is nil.
    static func extreme(_ values: [PredicateValue], _ wanted: PredicateOrder) throws -> PredicateValue {
        var best = PredicateValue.null
        for value in values where !value.isNull {
            if best.isNull { best = value }
            if try ValueRelations.order(value, best, [], EvaluationContext.empty.locale) == wanted { best = value }
        }
        return best
    }

    static func median(_ values: [PredicateValue]) throws -> PredicateValue {
        let numbers = try numbers(values, "median").sorted { $0.order($1) == .ascending }
        guard !numbers.isEmpty else { return .null }
        let middle = numbers[numbers.count / 2]
        if !numbers.count.isMultiple(of: 2) { return middle.value }
        return .real((numbers[numbers.count / 2 - 1].double + middle.double) / 2)
    }

    /// All values that are there most often, in their order, as Apple documents `mode:`.
    static func mode(_ values: [PredicateValue]) throws -> PredicateValue {
        let numbers = try numbers(values, "mode").map { $0.exactInteger.map { .integer($0) } ?? $0.value }
        let counts = numbers.reduce(into: [PredicateValue: Int]()) { $0[$1, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return .list(distinct(numbers.filter { counts[$0] == most }))
    }

    /// Of the whole population.
    static func deviation(_ values: [PredicateValue]) throws -> PredicateValue {
        let numbers = try numbers(values, "stddev").map(\.double)
        guard !numbers.isEmpty else { return .null }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return .real((squares / Double(numbers.count)).squareRoot())
    }

    private static func numbers(_ values: [PredicateValue], _ name: String) throws -> [PredicateNumber] {
        try values.filter { !$0.isNull }.map { value in
            guard let number = value.number else {
                throw PredicateEvaluationError.wrongKind(name, value, needs: "numbers")
            }
            return number
        }
    }

    private static func flat(_ values: [PredicateValue]) -> [PredicateValue] {
        values.flatMap { $0.elements }.filter { !$0.isNull }
    }

    private static func distinct(_ values: [PredicateValue]) -> [PredicateValue] {
        var seen: Set<PredicateValue> = []
        return values.filter { value in
            seen.insert(value.number?.exactInteger.map { .integer($0) } ?? value).inserted
        }
    }
}
