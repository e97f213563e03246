import DriveCore
import DriveTesting
import FileCoordination
import Testing

struct PauseTests {
    /// It may have been wrong then, or is now: half an hour is not months.
    @Test func aClockThatIsSetBackEndsWhatWasToBeShort() {
        let pause = Pause(since: 10_000, until: 10_100)
        for now: UInt64 in [9_900, 9_999, 10_000, 10_099] { #expect(pause.holds(at: now)) }
        for now: UInt64 in [0, 9_899, 10_100] { #expect(!pause.holds(at: now)) }
        #expect(Pause(since: 10_000).holds(at: 0))
    }

    /// Whoever writes into the file by hand may mean "for ever".
    @Test(arguments: [0, 1, 10_000, .max - 1] as [UInt64]) func noTimeIsTooLarge(now: UInt64) {
        #expect(Pause(since: 0, until: .max).holds(at: now))
        #expect(Pause(since: now, until: .max).holds(at: now))
        #expect(!Pause(since: .max, until: .max).holds(at: now))
        #expect(!Pause(since: .max, until: 0).holds(at: now))
    }

    /// Nobody takes it for granted that what was forbidden is allowed again.
    @Test(arguments: ["", "{}", #"{"since":"yesterday"}"#]) func whatCannotBeReadIsAPause(stored: String) throws {
        let state = MemoryState(device: DeviceID(high: 7, low: 7), label: "A")
        let memory = StandingMemory(state)
        try memory.setPause(Pause(since: 1, until: 10))
        #expect(try memory.pause(now: 9) != nil)
        #expect(try memory.pause(now: 10) == nil)
        try state.transaction { state.setSetting(Array(stored.utf8), "pause") }
        #expect(try memory.pause(now: 20) == Pause(since: 20))
        try memory.setPause(nil)
        #expect(try memory.pause(now: 20) == nil)
    }
}
