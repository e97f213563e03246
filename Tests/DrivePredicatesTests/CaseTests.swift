import Foundation
import Testing

@testable import DrivePredicates

/// Cases of public test suites and documents; each line says where it is from.
@Suite struct CaseTests {
    private static let lines: [String] = {
        guard let url = Bundle.module.resourceURL?.appending(components: "Cases", "predicate_cases.jsonl"),
            let text = try? String(contentsOf: url, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").map(String.init)
    }()

    @Test func allCasesAreThere() { #expect(Self.lines.count == 237) }

    @Test(arguments: lines) func caseHolds(line: String) throws {
        guard case .dictionary(let fields) = try JSONReader.value(line) else {
            Issue.record("no object: \(line)")
            return
        }
        let expected = try #require(fields["expected"])
        #expect(EvaluationLine.answer(to: line) == (expected == .bool(true) ? "true" : "false"), "\(line)")
    }

    /// The printed predicate is the same one, and so gives the same answer.
    @Test(arguments: lines) func printedCaseHolds(line: String) throws {
        let question = try EvaluationLine(line)
        let predicate = try MetadataPredicate(format: question.format, arguments: question.arguments)
        #expect(try MetadataPredicate(format: predicate.predicateFormat) == predicate, "\(predicate)")
    }
}
