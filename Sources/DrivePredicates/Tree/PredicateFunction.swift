/// The functions of predicates; the raw value is the name as it is printed. Those that are operators or indexes in
/// another spelling (`add:to:`, `objectFrom:withIndex:`) become these when read.
public enum PredicateFunction: String, Hashable, Sendable, CaseIterable {
    case sum, count, min, max, average, median, mode, stddev
    case modulus = "modulus:by:"
    case sqrt, ln, log, exp, abs, ceiling, floor, trunc, random, now
    case uppercase, lowercase, length
    case onesComplement
    case noindex
    case distance = "distanceToLocation:fromLocation:"
    case tokenize = "tokenize:using:"

    /// How many arguments it takes.
    var arity: ClosedRange<Int> {
        switch self {
        case .sum, .count, .min, .max, .average, .median, .mode, .stddev: 1...Int.max
        case .now: 0...0
        case .random: 0...1
        case .modulus, .distance, .tokenize: 2...2
        default: 1...1
        }
    }

    /// Whether it takes a collection: one list, or its values as arguments.
    var isAggregate: Bool { arity.upperBound == Int.max }

    /// A name as people write it; a colon at the end of a name without others is dropped.
    init?(name: String) {
        switch name.lowercased() {
        case "avg": self = .average
        case "modulus:by:": self = .modulus
        case "onescomplement": self = .onesComplement
        case "distancetolocation:fromlocation:": self = .distance
        case let name:
            guard let function = PredicateFunction(rawValue: name) else { return nil }
            self = function
        }
    }
}
