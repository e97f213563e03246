import DriveCore
import DriveTesting
import Testing

@testable import DriveIndex

/// What is known of conflicts is kept up by what has changed, however many of them are open.
struct ConflictUpkeepTests {
    /// With so many conflicts, all of which are known.
    private func device(conflicts count: Int) async throws -> EngineDevice {
        let world = SharedStore()
        let setup = DeviceSetup(number: 1, store: world.objects, clock: world.clock, seed: 5)
        let device = setup.entropy.deviceID()
        let index = try DriveIndex(path: nil)
        try index.setNumbers(RecordNumbers(device: device))
        try index.setJournal(JournalMemory(device: device, labels: [DeviceLabel(from: 0, text: setup.label)]))
        // What simulations look at besides goes through all.
        let a = world.device(0)
        let b = EngineDevice(setup, state: index) { $0.checksView = false }
        let names = (0..<count).map { DrivePath("f\($0)") }
        for name in names { try a.make("1\n", name) }
        try a.make("other", "other")
        try await world.sync(a, b)
        for name in names {
            for (device, text) in [(a, "by a\n"), (b, "by b\n")] {
                #expect(device.folder.write(Array(text.utf8), at: try #require(device.folder.place(name))))
            }
        }
        try await world.sync(a, b, a, b)
        // What was written down of them is a change too.
        try await b.apply()
        #expect(try b.state.conflictRecords().count == count)
        return b
    }

    private func write(_ text: String, _ name: DrivePath, on device: EngineDevice) throws {
        #expect(device.folder.write(Array(text.utf8), at: try #require(device.folder.place(name))))
    }

    @Test func aChangeOfAnythingElseCostsNoMoreWithMoreConflicts() async throws {
        func steps(conflicts count: Int) async throws -> Int {
            let device = try await device(conflicts: count)
            try write("changed", "other", on: device)
            _ = try await device.scan()
            let connection = try #require(device.state as? DriveIndex).connection
            let before = connection.stepsTaken
            try await device.apply()
            return connection.stepsTaken - before
        }
        let few = try await steps(conflicts: 4)
        let many = try await steps(conflicts: 64)
        #expect(many < few * 2, "\(few), \(many)")
    }

    @Test func whatHappensToAConflictIsSeen() async throws {
        let device = try await device(conflicts: 3)
        func record(of text: String) throws -> ConflictRecord? {
            let hash = ContentHasher.hash(of: Array(text.utf8))
            return try device.state.conflictRecords().first { $0.current == hash || $0.copy == hash }
        }
        try write("by hand\n", "f1", on: device)
        _ = try await device.scan()
        try await device.apply()
        #expect(try record(of: "by hand\n") != nil && device.state.conflictRecords().count == 3)
        let copy = try #require(
            try device.state.allRows().first { $0.isDerived && $0.name.description.hasPrefix("f2") })
        try device.remove(DrivePath([copy.name]))
        _ = try await device.scan()
        try await device.apply()
        #expect(try device.state.conflictRecords().count == 2)
    }
}
