import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// What a power cut leaves of a file that was brought is damage; what a tool made of it, which set its date again, is an edit.
@Suite struct CutOffFileTests {
    private let clock = ManualClock()
    private let store: MemoryObjectStore
    private let writer: EngineDevice
    private let reader: EngineDevice
    private static let whole = Array("48.2082 N 16.3738 E".utf8) + [UInt8](repeating: 7, count: 9_000)

    init() async throws {
        store = MemoryObjectStore(clock: clock)
        writer = EngineDevice(DeviceSetup(number: 0, store: store, clock: clock, seed: 12))
        reader = EngineDevice(DeviceSetup(number: 1, store: store, clock: clock, seed: 13))
        #expect(writer.folder.create(Self.whole, at: try #require(writer.folder.place("photo"))))
        for device in [writer, reader] { try await turn(device) }
        #expect(reader.folder.tree() == writer.folder.tree())
        clock.advance(by: 60_000)
        try await reader.restart(afterPowerCut: true)
    }

    private func turn(_ device: EngineDevice) async throws {
        _ = try await device.scan()
        try await device.commit(compacting: false)
        try await device.fetch(only: nil)
        try await device.apply()
    }

    private func edit(_ bytes: [UInt8]) throws {
        let place = try #require(reader.folder.place("photo"))
        let row = try #require(try reader.state.child(of: .root, named: "photo"))
        #expect(reader.folder.write(bytes, at: place))
        #expect(reader.folder.touch(row.facts.modified, at: place))
    }

    /// Not as a value of an expectation, which prints thousands of bytes.
    private func expect(_ bytes: [UInt8], on device: EngineDevice) {
        let isSo = device.folder.tree() == ["photo": .file(bytes)]
        #expect(isSo)
    }

    private func expectBroughtAgain(insteadOf damaged: [UInt8]) async throws {
        // What is set aside is still to be brought.
        await #expect(throws: DriveError.self) { try await reader.scan() }
        for _ in 0..<2 { try await turn(reader) }
        expect(Self.whole, on: reader)
        let isKept = reader.folder.contents(of: .trash) == [damaged]
        #expect(isKept)
        #expect(try reader.state.trash().map(\.reason) == [.damaged])
    }

    @Test(arguments: [0, 4_096, 5_000]) func whatHasLostItsEndIsBroughtAgain(length: Int) async throws {
        let place = try #require(reader.folder.place("photo"))
        #expect(reader.folder.cutOff(after: length, at: place))
        try await expectBroughtAgain(insteadOf: Array(Self.whole.prefix(length)))
    }

    @Test func whatAToolHasShortenedWithItsDateIsSent() async throws {
        let stripped = Array(Self.whole.dropFirst(19))
        try edit(stripped)
        for device in [reader, writer] { try await turn(device) }
        for device in [reader, writer] { expect(stripped, on: device) }
    }

    /// Nothing but its end tells it from what a tool made where the recorded time is that before the file got its name.
    @Test func whatEndsWithAPageIsTakenForDamage() async throws {
        try edit(Array(Self.whole.prefix(8_192)))
        try await expectBroughtAgain(insteadOf: Array(Self.whole.prefix(8_192)))
    }
}
