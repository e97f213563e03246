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
        let folded = foldsMarks ? TextFolding.folded(Self.keepingHyphens(pattern), .diacriticInsensitive) : pattern
        let ignoresCase = options.contains(.caseInsensitive) && !isNormalized
        expression = try Self.whole(folded, ignoresCase ? .caseInsensitive : [], given: pattern)
    }

    /// Folding takes these for the hyphen of keyboards, which between two letters in brackets would stand for all in between.
    private static func keepingHyphens(_ pattern: String) -> String {
        pattern.replacing("\u{2010}", with: "\\-").replacing("\u{2011}", with: "\\-")
    }

    /// Matches every text: the whole of it by the pattern, with the last group, or else nothing of it, without that group. So
    /// a text for which there is no match at all is one on which ICU gave up, which it does not always tell (that of Swift 6.3
    /// ends without an error after some 148 million steps).
    ///
    /// The end of the pattern may lie in a quotation or a comment, which has to be ended first.
    private static func whole(
        _ pattern: String, _ options: NSRegularExpression.Options, given: String
    ) throws -> NSRegularExpression {
        guard (try? NSRegularExpression(pattern: pattern, options: options)) != nil || pattern.isEmpty else {
            throw PredicateEvaluationError(.badPattern, "MATCHES: \"\(given)\" is no regular expression")
        }
        for end in [")", "\\E)", "\n)"] {
            if let expression = try? NSRegularExpression(
                pattern: "\\A(?:(?:" + pattern + end + "\\z()|)", options: options)
            {
                return expression
            }
        }
        throw PredicateEvaluationError(.badPattern, "MATCHES: \"\(given)\" cannot match a whole text")
    }

    func matches(_ subject: String) throws -> Bool {
        let subject = foldsMarks ? TextFolding.folded(subject, .diacriticInsensitive) : subject
        let deadline = ContinuousClock.now + limit
        var isMatch: Bool?
        expression.enumerateMatches(
            in: subject, options: .reportProgress, range: NSRange(location: 0, length: subject.utf16.count)
        ) { result, _, stop in
            if let result {
                isMatch = result.range(at: result.numberOfRanges - 1).location != NSNotFound
                stop.pointee = true
            } else if ContinuousClock.now > deadline {
                stop.pointee = true
            }
        }
        guard let isMatch else {
            throw PredicateEvaluationError(
                .patternLimit, "MATCHES: \"\(text)\" takes too long, or too much memory, on one value")
        }
        return isMatch
    }
}
