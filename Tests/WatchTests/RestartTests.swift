import Testing

@testable import DriveFiles

struct RestartTests {
    @Test func whoFailsAtOnceIsTriedLessAndLessOften() {
        var restarts = WatchRestarts()
        let pauses = (0..<6).map { _ in restarts.ended(after: .milliseconds(5)) }
        #expect(pauses == [500, 2_000, 10_000, 60_000, 60_000, 60_000] && restarts.failures == 6)
    }

    /// Only the time that it ran counts, which no clock that is set anew, and no suspend, makes longer or shorter.
    @Test func whoRanForAWhileIsStartedAgainSoon() {
        var restarts = WatchRestarts()
        for _ in 0..<4 { _ = restarts.ended(after: .zero) }
        #expect(restarts.ended(after: .seconds(11)) == 100 && restarts.failures == 0)
        #expect(restarts.ended(after: .seconds(10)) == 500)
    }
}
