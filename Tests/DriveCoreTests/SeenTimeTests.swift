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
        #expect(days(3650, 0, 1, 2) == 9)
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
    }
}
