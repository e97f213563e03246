import DriveCore
import Testing

/// When what failed is tried again.
struct GrowingPauseTests {
    private let start: UInt64 = 1_700_000_000_000

    @Test func itDoublesFromAMinuteToAnHour() {
        var pause = GrowingPause()
        #expect(!pause.isOn(now: start))
        var now = start
        var minutes: [UInt64] = []
        for _ in 0..<80 {
            pause.fail(now: now)
            minutes.append((pause.left(now: now) ?? 0) / 60_000)
            #expect(pause.isOn(now: now + minutes[minutes.count - 1] * 60_000 - 1))
            now += minutes[minutes.count - 1] * 60_000
            #expect(!pause.isOn(now: now))
        }
        #expect(minutes.prefix(8) == [1, 2, 4, 8, 16, 32, 60, 60] && minutes.last == 60)
    }

    @Test func whatIsCutIsTriedAtOnceAndGoesOnToGrow() {
        var pause = GrowingPause(first: 1_000, longest: 60_000)
        pause.fail(now: start)
        pause.cut()
        #expect(pause.left(now: start) == nil)
        pause.fail(now: start)
        #expect(pause.left(now: start) == 2_000)
        for _ in 0..<3 { pause.cut(isExtra: true) }
        #expect(!pause.isOn(now: start))
        pause.fail(now: start)
        #expect(pause.left(now: start) == 2_000)
    }

    @Test func beforeTheFirstFailureThereIsNothingToCut() {
        var pause = GrowingPause()
        pause.cut(isExtra: true)
        pause.fail(now: start)
        #expect(pause.left(now: start) == 60_000)
    }

    @Test func whoAsksForMoreTimeGetsIt() {
        var pause = GrowingPause(first: 1_000, longest: 60_000)
        pause.fail(now: start, atLeast: 90_000)
        #expect(pause.left(now: start) == 90_000)
        pause.fail(now: start, atLeast: 10)
        #expect(pause.left(now: start) == 2_000)
        pause.fail(now: .max - 1, atLeast: .max)
        #expect(pause.isOn(now: .max - 1))
    }

    @Test func aClockThatIsSetBackHoldsNothingUp() {
        var pause = GrowingPause()
        pause.fail(now: start)
        #expect(pause.isOn(now: start + 1) && !pause.isOn(now: start - 1))
    }
}
