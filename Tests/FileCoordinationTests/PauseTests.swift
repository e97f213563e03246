import DriveCore
import DriveTesting
import FileCoordination
import Testing

struct PauseTests {
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
