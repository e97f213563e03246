import DriveTesting
import Foundation
import Testing

@Suite struct MergeCaseTests {
    static let cases: [MergeCase] = {
        guard let url = Bundle.module.url(forResource: "Cases/merge_cases", withExtension: "jsonl"),
            let data = try? Data(contentsOf: url), let cases = try? MergeCase.parse(Array(data))
        else { return [] }
        return cases
    }()

    @Test func theFileHasAllCases() { #expect(Self.cases.count == 283) }

    @Test(arguments: cases, [false, true])
    func endsAsExpected(_ mergeCase: MergeCase, appliesEverything: Bool) async throws {
        try await MergeCaseRunner.run(mergeCase) { setup in
            EngineDevice(setup) { $0.appliesEverything = appliesEverything }
        }
    }
}
