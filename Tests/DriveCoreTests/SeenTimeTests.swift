import DriveCore
import Testing

@Suite struct SeenTimeTests {
    private static let day: UInt64 = 86_400_000
    private static let start = 20_000 * day

    /// How many days have been seen pass after looks at a clock that said so many days.
    private func days(_ clock: Int...) -> UInt64 {
        var time = SeenTime(clock: Self.start)
        for day in clock { time.look(at: UInt64(Int64(Self.start) + Int64(day) * Int64(Self.day))) }
        return (time.now - Self.start) / Self.day
    }

    @Test func goesOnWithTheClock() {
        #expect(days(1, 2, 3, 10, 17) == 17)
    }

    @Test func aLongAbsenceIsAWeek() {
        #expect(days(1, 400, 401) == 9)
    }

    @Test func aClockThatIsPutForwardIsAWeekAtMost() {
        #expect(days(3650, 0, 1, 2) == 7)
        // What it had then is kept for a month, and from then on time passes.
        #expect(days(3650, 0, 7, 14, 21, 28, 31, 32) == 9)
    }

    /// A clock that is ahead for a while each day, as beside a system that keeps it in local time, is ahead of nothing.
    @Test func whatWasAheadIsNotCountedTwice() {
        #expect(days(1, 0, 1, 0, 1, 0, 1, 0, 1) == 1)
        #expect(days(1, 0, 1, 0, 1, 2, 3) == 3)
        #expect(days(6, 0, 5, 0, 7) == 7)
        var time = SeenTime(clock: Self.start)
        let hour = Self.day / 24
        for day in 1...30 {
            let midnight = Self.start + UInt64(day) * Self.day
            time.look(at: midnight + 10 * hour)
            time.look(at: midnight)
            time.look(at: midnight + 12 * hour)
        }
        #expect((time.now - Self.start) / hour == 30 * 24 + 12)
    }

    /// What counts by the hour goes on once a wrong clock was put right, as it had stood then.
    @Test func whatCountsByTheHourStandsStillWhereTheClockIsPutBack() {
        var time = SeenTime(clock: Self.start)
        let hour = Self.day / 24
        func passed(_ clock: UInt64) -> UInt64 {
            time.look(at: clock)
            return (time.passed - Self.start) / hour
        }
        #expect(passed(Self.start + 10 * hour) == 10)
        #expect(passed(Self.start) == 10)
        #expect(passed(Self.start + 1 * hour) == 11)
        // A clock that is ahead cannot be told from time that passes.
        #expect(passed(Self.start + 400 * Self.day) == 11 + 7 * 24)
        #expect(passed(0) == 11 + 7 * 24)
        #expect(passed(hour) == 12 + 7 * 24)
    }

    @Test func aClockOfYearsAgoThatIsPutRightIsNoTimeAtAll() {
        #expect(days(-3650, 0, -3650, 0, -3650, 1, 2) == 1)
    }

    @Test func comesBackAsItWasWritten() throws {
        var time = SeenTime(clock: Self.start)
        time.look(at: Self.start - 1)
        let read = try SeenTime(time.bytes)
        #expect(read == time)
        #expect(throws: DriveError.self) { try SeenTime(Array(time.bytes.dropLast())) }
        // As it was written before.
        let old = Array(time.bytes.prefix(16))
        #expect(try SeenTime(Array(time.bytes.prefix(24))).passed == Self.start - 1)
        #expect(try SeenTime(old + [0]).now == time.now && SeenTime(old + [1]).clock == time.clock)
    }
}
