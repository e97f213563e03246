import DriveCore
import DriveTesting
import Testing

/// What a person writes while apply exchanges a file: before the exchange, so that it is undone, and again before that.
@Suite struct ReplaceRaceTests {
    /// How somebody writes the second time.
    enum Writing: CaseIterable { case intoIt, overIt }

    @Test(arguments: Writing.allCases)
    func whatIsWrittenIntoAFileThatIsTakenBackLives(_ writing: Writing) async throws {
        let clock = ManualClock()
        let store = MemoryObjectStore(clock: clock)
        var devices: [any SimulatedDevice] = []
        for number in 0..<2 {
            devices.append(
                try await DeviceKind().make(DeviceSetup(number: number, store: store, clock: clock, seed: 3)))
        }
        let (author, other) = (devices[0], devices[1])
        let place = Place(folder: MemoryFolder.root, name: "a")
        author.folder.create(Array("first".utf8), at: place)
        try await Quiescence(devices: devices, clock: clock).reach()
        clock.advance(by: RunPlan.tick)
        author.folder.write(Array("theirs".utf8), at: place)
        _ = try await author.scan()
        try await author.commit(compacting: false)
        try await other.fetch(only: nil)

        let folder = other.folder
        var exchanges = 0
        folder.beforeOperation = { operation throws(DriveError) in
            guard operation.kind == .exchange else { return }
            exchanges += 1
            if exchanges == 1 { folder.write(Array("mine".utf8), at: place) }
            guard exchanges == 2 else { return }
            switch writing {
            case .intoIt: folder.write(Array("mine again".utf8), at: place)
            case .overIt: folder.save(Array("mine again".utf8), at: place)
            }
        }
        try await other.apply()
        folder.beforeOperation = nil
        #expect(exchanges == 2)
        clock.advance(by: RunPlan.tick)
        try await Quiescence(devices: devices, clock: clock).reach()
        let live = Set(folder.contents(of: .root).map { String(decoding: $0, as: UTF8.self) })
        #expect(live == ["theirs", "mine", "mine again"])
        #expect(author.folder.tree() == folder.tree())
    }
}
