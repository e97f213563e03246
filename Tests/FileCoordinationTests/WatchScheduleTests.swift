import DriveCore
import FileCoordination
import Testing

@Suite struct WatchScheduleTests {
    private let start = ContinuousClock.now
    private var schedule: WatchSchedule

    init() {
        schedule = WatchSchedule(pace: WatchPace(), now: start)
        // The first look at the store is due at once.
        _ = schedule.take(now: start, jitter: 0)
    }

    @Test func touchedFoldersWaitUntilTheySettle() {
        var schedule = schedule
        schedule.touched("x", in: "a", now: start)
        #expect(schedule.take(now: start + .milliseconds(49), jitter: 0) == nil)
        schedule.touched(nil, in: "b", now: start + .milliseconds(49))
        #expect(schedule.take(now: start + .milliseconds(98), jitter: 0) == nil)
        let work = schedule.take(now: start + .milliseconds(99), jitter: 0)
        #expect(work?.touched.folders == ["a", "b"])
        #expect(work?.touched.names(in: "a") == ["x"])
        #expect(work?.touched.names(in: "b") == nil)
        #expect(work?.scansEverything == false)
        #expect(schedule.take(now: start + .milliseconds(200), jitter: 0) == nil)
    }

    /// A hint is never the truth, so it is asked all the same.
    @Test(arguments: [false, true]) func aStoreThatTellsIsAskedNowAndThen(isTold: Bool) {
        var schedule = schedule
        schedule.succeeded(wasActive: true, now: start)
        schedule.told(isTold, now: start)
        let asked = (1...60).filter { schedule.take(now: start + .seconds($0), jitter: 0)?.fetches ?? false }
        #expect(asked == (isTold ? [5, 35] : Array(stride(from: 5, through: 60, by: 5))))
        schedule.hinted()
        #expect(schedule.take(now: start + .seconds(61), jitter: 0)?.fetches == true)
        // Nobody tells any more.
        schedule.told(false, now: start + .seconds(62))
        #expect(schedule.take(now: start + .seconds(67), jitter: 0)?.fetches == true)
    }

    /// Some changes have no event.
    @Test func allOfATouchedFolderIsLookedAtLater() {
        var schedule = schedule
        schedule.touched("x", in: "a", now: start)
        schedule.touched("y", in: "a", now: start + .milliseconds(20))
        #expect(schedule.take(now: start + .milliseconds(70), jitter: 0)?.touched.names(in: "a") == ["x", "y"])
        for _ in 0..<20 { _ = schedule.take(now: start + .seconds(50), jitter: 0) }
        #expect(schedule.nextDeadline(now: start + .seconds(50)) <= start + .seconds(60))
        let work = schedule.take(now: start + .seconds(60), jitter: 0)
        #expect(work?.touched == TouchedNames(whole: ["a"]))
        for second in 61..<600 {
            #expect(schedule.take(now: start + .seconds(second), jitter: 0)?.scans ?? false == false)
        }
    }

    /// The rules of a file that a scan finds count from the next scan on.
    @Test func otherRulesAreAReasonToLookEverywhereTwice() {
        var schedule = schedule
        schedule.touched(".driveignore", in: "a", now: start)
        schedule.rulesTouched(now: start)
        #expect(schedule.take(now: start + .milliseconds(50), jitter: 0)?.scansEverything == true)
        #expect(schedule.take(now: start + .seconds(1), jitter: 0)?.scans ?? false == false)
        #expect(schedule.take(now: start + .seconds(2), jitter: 0)?.scansEverything == true)
        #expect(schedule.take(now: start + .seconds(4), jitter: 0)?.scans ?? false == false)
    }

    @Test func eventsThatGoOnPutAScanOffForHalfASecond() {
        var schedule = schedule
        for step in 0..<50 { schedule.touched("x", in: "a", now: start + .milliseconds(step * 10)) }
        #expect(schedule.take(now: start + .milliseconds(499), jitter: 0) == nil)
        #expect(schedule.take(now: start + .milliseconds(500), jitter: 0)?.touched.folders == ["a"])
    }

    @Test func whatFailedIsTriedAgainLaterEachTime() throws {
        var schedule = schedule
        schedule.touched("x", in: "a", now: start)
        var now = start + .seconds(1)
        for seconds in [1, 2, 4, 8] {
            let due = schedule.take(now: now, jitter: 0)
            let work = try #require(due)
            #expect(work.touched.folders == ["a"])
            // The middle of what jitter may do.
            let pause = schedule.failed(work, jitter: 0.5, now: now)
            #expect(pause == .seconds(seconds))
            #expect(schedule.take(now: now + pause - .milliseconds(1), jitter: 0) == nil)
            now += pause
        }
    }

    @Test func whoMendedWhatWasInTheWayNeedNotWait() throws {
        var schedule = schedule
        schedule.touched("x", in: "a", now: start)
        let due = schedule.take(now: start + .seconds(1), jitter: 0)
        _ = schedule.failed(try #require(due), atLeast: .seconds(600), jitter: 0, now: start + .seconds(1))
        schedule.retries()
        #expect(schedule.take(now: start + .seconds(1), jitter: 0)?.touched.folders == ["a"])
    }

    /// As if it had never been taken.
    @Test func whatWasBrokenOffIsDueAtOnce() throws {
        var schedule = schedule
        schedule.touched("x", in: "a", now: start)
        schedule.hinted()
        let due = schedule.take(now: start + .seconds(1), jitter: 0)
        let work = try #require(due)
        schedule.putBack(work, now: start + .seconds(1))
        #expect(schedule.take(now: start + .seconds(1), jitter: 0) == work)
    }

    @Test func whatCouldNotBeLookedAtIsLookedAtWithinAQuarterOfAnHour() {
        var schedule = schedule
        schedule.missed(now: start)
        #expect(schedule.take(now: start + .seconds(899), jitter: 0)?.scansEverything == false)
        #expect(schedule.take(now: start + .seconds(900), jitter: 0)?.scansEverything == true)
    }

    @Test func aWholeRescanComesByItself() {
        var schedule = schedule
        #expect(schedule.take(now: start + .seconds(6 * 3600 - 1), jitter: 0)?.scansEverything == false)
        #expect(schedule.take(now: start + .seconds(6 * 3600), jitter: 0)?.scansEverything == true)
    }

    @Test func foldersWithoutAWatchAreLookedAtOftener() {
        var schedule = schedule
        schedule.covered(unwatched: 3, now: start)
        #expect(schedule.take(now: start + .seconds(900), jitter: 0)?.scansEverything == true)
        #expect(schedule.take(now: start + .seconds(1800), jitter: 0)?.scansEverything == true)
    }
}
