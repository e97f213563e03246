import Foundation

/// A regular expression that has to match a whole text, within a time.
///
/// NSRegularExpression has no time limit of its own, but ICU reports progress, and the report may stop it.
struct RegularPattern: Sendable {
    private let expression: NSRegularExpression
    private let text: String
    private let foldsMarks: Bool
    private let limit: Duration

    init(_ pattern: String, _ options: ComparisonOptions, limit: Duration) throws {
        let isNormalized = options.contains(.normalized)
        foldsMarks = options.contains(.diacriticInsensitive) && !isNormalized
        self.limit = limit
        text = pattern
        let pattern = foldsMarks ? TextFolding.folded(pattern, .diacriticInsensitive) : pattern
        let ignoresCase = options.contains(.caseInsensitive) && !isNormalized
        expression = try Self.whole(pattern, ignoresCase ? .caseInsensitive : [])
    }

    /// The end of the pattern may lie in a quotation or a comment, which has to be ended first.
    private static func whole(_ pattern: String, _ options: NSRegularExpression.Options) throws -> NSRegularExpression {
        guard (try? NSRegularExpression(pattern: pattern, options: options)) != nil || pattern.isEmpty else {
            throw PredicateEvaluationError(.badPattern, "MATCHES: \"\(pattern)\" is no regular expression")
        }
        for end in [")\\z", "\\E)\\z", "\n)\\z"] {
            if let expression = try? NSRegularExpression(pattern: "\\A(?:" + pattern + end, options: options) {
                return expression
            }
        }
        throw PredicateEvaluationError(.badPattern, "MATCHES: \"\(pattern)\" cannot match a whole text")
    }

    /// That ICU ran out of its stack shows only in the report of completion; without it, it looks like no match.
    func matches(_ subject: String) throws -> Bool {
        let subject = foldsMarks ? TextFolding.folded(subject, .diacriticInsensitive) : subject
        let deadline = ContinuousClock.now + limit
        var isMatch = false
        var isTooMuch = false
        expression.enumerateMatches(
            in: subject, options: [.reportProgress, .reportCompletion],
            range: NSRange(location: 0, length: subject.utf16.count)
        ) { result, flags, stop in
            if result != nil {
                isMatch = true
                stop.pointee = true
            } else if flags.contains(.internalError) || (flags.contains(.progress) && ContinuousClock.now > deadline) {
                isTooMuch = true
                stop.pointee = true
            }
        }
        if isTooMuch {
            throw PredicateEvaluationError(
                .patternLimit, "MATCHES: \"\(text)\" takes too long, or too much memory, on one value")
        }
        return isMatch
    }
}
