import TestSupport
import Testing

/// Which devices count as such.
@Suite(.mayBlock)
struct DeviceCountTests {
    /// The second one has joined, and changed nothing yet.
    @Test func whoHasJoinedCountsEverywhere() throws {
        let machine = try Machine()
        try machine.twoDrives()
        for drive in ["a", "b"] {
            let sync = try machine.run("sync", drive)
            #expect(sync.output.contains("2 devices"), "\(sync.output)")
            let list = try machine.run("-C", drive, "device", "ls").output
            #expect(
                list.split(separator: "\n").count == 2 && list.contains("alpha") && list.contains("beta"), "\(list)")
            #expect(try machine.run("doctor", drive).output.contains(", 2 devices"))
        }
    }
}
