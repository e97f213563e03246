import Foundation

@testable import DrivePredicates

/// What the predicate says of the object: `true`, `false`, or `error` and its kind.
func answer(
    _ format: String, _ arguments: [PredicateValue] = [], of object: PredicateValue = .dictionary([:]),
    _ context: EvaluationContext = .fixed
) -> String {
    do {
        let predicate = try MetadataPredicate(format: format, arguments: arguments)
        return try predicate.evaluate(object, context) ? "true" : "false"
    } catch let error as PredicateEvaluationError {
        return "error \(error.kind)"
    } catch {
        return "syntax error"
    }
}

func answer(_ format: String, _ object: [String: PredicateValue]) -> String {
    answer(format, of: .dictionary(object))
}

/// Where and why a format cannot be read.
func fault(_ format: String, _ arguments: [PredicateValue] = []) -> PredicateSyntaxError? {
    do {
        _ = try MetadataPredicate(format: format, arguments: arguments)
        return nil
    } catch { return error }
}

func rawFault(_ query: String) -> PredicateSyntaxError? {
    do {
        _ = try MetadataPredicate(raw: query, .fixed())
        return nil
    } catch { return error }
}

func wordsFault(_ query: String) -> PredicateSyntaxError? {
    do {
        _ = try MetadataPredicate(words: query, .fixed())
        return nil
    } catch { return error }
}

func utc(_ text: String) -> PredicateDate { PredicateDate(iso: text, timeZone: .gmt) ?? PredicateDate(seconds: 0) }

extension EvaluationContext {
    /// Sunday, 15 March 2026, noon UTC.
    static let fixed = EvaluationContext(
        now: utc("2026-03-15T12:00:00Z"), locale: Locale(identifier: "en_US"), random: { 0.5 })
}

extension QueryContext {
    static func fixed(_ now: String = "2026-03-15T12:00:00Z", zone: String = "UTC", firstWeekday: Int = 2)
        -> QueryContext
    {
        QueryContext(now: utc(now), timeZone: TimeZone(identifier: zone) ?? .gmt, firstWeekday: firstWeekday)
    }
}

/// SplitMix64: the same numbers for the same seed.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
