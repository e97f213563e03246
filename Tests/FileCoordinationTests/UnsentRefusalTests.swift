import DriveCore
import Testing

@testable import FileCoordination

/// When what waits on this device is tried again.
struct UnsentRefusalTests {
    private let start: UInt64 = 1_700_000_000_000

    @Test func whatDeletesWereToldWithoutIsLookedForEachTenMinutes() {
        let refusals = UnsentRefusals()
        let times: [UInt64] = [0, 1, 599_999, 600_000, 1_199_999, 1_200_000]
        let due = times.map { refusals.isUntoldDue(now: start + $0) }
        #expect(due == [true, false, false, true, false, true])
        refusals.tryAgain()
        #expect(refusals.isUntoldDue(now: start + 1_200_001))
    }

    @Test func aClockThatIsSetBackHoldsNothingUp() {
        let refusals = UnsentRefusals()
        #expect(refusals.isUntoldDue(now: start))
        #expect(refusals.isUntoldDue(now: start - 3_600_000))
        #expect(!refusals.isUntoldDue(now: start - 3_600_000 + 1))
    }
}
