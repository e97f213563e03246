import DriveCore
import DriveTesting
import Testing

/// What a power cut takes of a simulated device's state: what a real index need not make durable by itself, and nothing else.
struct SimulatedPowerTests {
    private let state = MemoryState(device: DeviceID(high: 1, low: 1), label: "A")

    @Test func aNumberThatNothingFollowedIsGivenAgain() {
        let first = state.newRowID()
        state.cutPower()
        #expect(state.newRowID() == first)
    }

    @Test func whatFollowsMakesItDurable() {
        let first = state.newRowID()
        state.setSetting([1], "colour")
        let second = state.newRowID()
        state.cutPower()
        #expect(second > first && state.newRowID() == second)
        #expect(state.setting("colour") == [1])
    }

    @Test func readingAndFailingMakeNothingDurable() throws {
        struct Stop: Error {}
        let first = state.newRowID()
        #expect(try state.transaction { state.setting("colour") } == nil)
        #expect(throws: Stop.self) {
            try state.transaction {
                state.setSetting([1], "colour")
                throw Stop()
            }
        }
        state.cutPower()
        #expect(state.newRowID() == first)
        #expect(state.setting("colour") == nil)
    }

    @Test func aNumberIsDurableWithWhatTheTransactionChanges() throws {
        let first = try state.transaction { state.newRowID() }
        state.cutPower()
        #expect(state.newRowID() == first)
        let second = try state.transaction {
            state.setSetting([1], "colour")
            return state.newRowID()
        }
        state.cutPower()
        #expect(state.newRowID() > second)
    }
}
