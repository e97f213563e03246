import Testing

@testable import DriveCore
@testable import DriveTransport

/// A disk, or a line, that fails once: who joins goes on with all that others have said.
@Suite struct SecondReadTests {
    private let store = TestStore()
    private let entropy = TestEntropy(1)

    private func pair() async throws -> (JournalDevice, JournalDevice) {
        let info = try await Store.create(in: store.view(), entropy: entropy)
        var a = JournalDevice(0, store, info, entropy: entropy)
        a.edit(nil, "one")
        _ = try await a.commit()
        a.edit(nil, "two")
        _ = try await a.commit()
        return (a, JournalDevice(1, store, info, entropy: entropy))
    }

    private func fail(_ part: String, _ times: Int, isWrong: Bool) {
        let failures = Dictionary(uniqueKeysWithValues: store.keys(part).map { ($0, times) })
        store.change { state in
            if isWrong { state.wrongReads = failures } else { state.failingReads = failures }
        }
    }

    @Test(arguments: [("/log/", false), ("/log/", true), ("/head/", false)])
    func whatFailsOnceIsRead(_ part: String, isWrong: Bool) async throws {
        var (a, b) = try await pair()
        fail(part, 1, isWrong: isWrong)
        let outcome = try await b.fetch()
        #expect(outcome.problems.isEmpty && b.states == a.states)
    }

    @Test(arguments: [false, true]) func whatStaysUnreadableIsNamed(isWrong: Bool) async throws {
        var (a, b) = try await pair()
        fail("/log/", 1_000, isWrong: isWrong)
        #expect(try await b.fetch().problems.map(\.device) == [a.memory.device])
        #expect(b.states.isEmpty)
    }
}
