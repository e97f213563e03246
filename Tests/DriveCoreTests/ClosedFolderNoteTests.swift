import DriveTesting
import Testing

@testable import DriveCore

/// For how long it is known that a folder was closed.
struct ClosedFolderNoteTests {
    private static let day: UInt64 = 86_400_000
    private let state = MemoryState(device: DeviceID(high: 7, low: 7), label: "A")

    private func note(_ permissions: UInt16) throws {
        try state.transaction { try ClosedFolders(state).note(permissions, at: "P") }
    }

    private func permissions() throws -> UInt16? { try ClosedFolders(state).permissions(at: "P") }

    private func look(at time: UInt64) throws {
        _ = try state.lookAtClock(time)
    }

    @Test func untilNothingOfItCanComeBack() throws {
        var time = 20_000 * Self.day
        try look(at: time)
        try note(0o700)
        let end = time + ClosedFolders.kept
        while time + 7 * Self.day < end {
            time += 7 * Self.day
            try look(at: time)
        }
        #expect(try permissions() == 0o700)
        // It is closed once more, as long again.
        try note(0o750)
        try look(at: end + 1)
        #expect(try permissions() == 0o750)
        for _ in 0..<18 {
            time += 7 * Self.day
            try look(at: time)
        }
        #expect(try permissions() == nil)
    }

    /// Days are those that were seen pass.
    @Test func aClockThatIsYearsAheadForAMomentEndsNothing() throws {
        try look(at: 20_000 * Self.day)
        try note(0o700)
        try look(at: 30_000 * Self.day)
        #expect(try permissions() == 0o700)
    }

    @Test func oneThatWasOpenLastIsNotClosed() throws {
        try note(0o700)
        #expect(try permissions() == 0o700)
        try note(0o755)
        #expect(try permissions() == nil)
    }
}
