import DriveCore
import FileCoordination
import Testing

struct RunningStatusTests {
    private let silent = DriveError(.unreachable, "nothing came for a minute")

    /// Said once, long before the pass gives up, and not at every call that fails for a moment.
    @Test func aStoreThatStaysSilentIsAnnouncedOnce() {
        var status = RunningStatus()
        let (early, late) = (wait(until: 3_000), wait(until: 63_000))
        let first = status.note(early, now: 2_000)
        #expect(!first && status.trouble == nil && status.storeWait?.since == 1_000 && status.nextTry == 3_000)
        let second = status.note(late, now: 62_000)
        #expect(second && status.trouble == .unreachable && status.waitsSince == 1_000)
        let third = status.note(wait(until: 124_000), now: 122_000)
        #expect(!third)
        // What kept it from going on is over when the pass ends well, and known until then.
        let last = status.note(nil, now: 123_000)
        #expect(!last && status.trouble == .unreachable && status.storeWait == nil && status.waitsFor == nil)
    }

    private func wait(until time: UInt64) -> StoreWait { StoreWait(error: silent, since: 1_000, until: time) }
}
