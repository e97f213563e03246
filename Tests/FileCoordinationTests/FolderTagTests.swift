import DriveCore
import DriveTesting
import Testing

/// Tags of folders, which no content and no place of their own shows.
struct FolderTagTests {
    private let clock = ManualClock()
    private let tags = "user.xdg.tags"

    private func device(_ number: Int, _ store: MemoryObjectStore) -> EngineDevice {
        EngineDevice(DeviceSetup(number: number, store: store, clock: clock, seed: 7))
    }

    private func place(_ path: DrivePath, on device: EngineDevice) throws -> Place {
        try #require(device.folder.place(path))
    }

    private func tag(_ path: DrivePath, _ value: String?, on device: EngineDevice) throws {
        clock.advance(by: RunPlan.tick)
        let isSet = device.folder.setExtended(tags, to: value.map { Array($0.utf8) }, at: try place(path, on: device))
        #expect(isSet == device.folder.options.keepsExtendedAttributes)
    }

    private func tag(of path: DrivePath, on device: EngineDevice) throws -> String? {
        device.folder.extended(tags, at: try place(path, on: device)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The records that each of the scans made.
    @discardableResult
    private func sync(_ devices: EngineDevice...) async throws -> [Int] {
        var records: [Int] = []
        for device in devices {
            clock.advance(by: RunPlan.tick)
            records.append(try await device.scan())
            try await device.commit(compacting: false)
            try await device.fetch(only: nil)
            try await device.apply()
        }
        return records
    }

    private func pair(with files: [DrivePath] = ["folder/file"]) async throws -> (EngineDevice, EngineDevice) {
        let store = MemoryObjectStore(clock: clock)
        let (one, other) = (device(0, store), device(1, store))
        one.folder.makeFolder(at: try place("folder", on: one))
        for path in files { one.folder.create(Array("\(path)".utf8), at: try place(path, on: one)) }
        try await sync(one, other)
        return (one, other)
    }

    @Test func tagsOfAKnownFolderTravelBothWays() async throws {
        let (one, other) = try await pair()
        try tag("folder", "red", on: one)
        try await sync(one, other)
        #expect(try tag(of: "folder", on: other) == "red")
        try tag("folder", "blue", on: other)
        try await sync(other, one)
        #expect(try tag(of: "folder", on: one) == "blue")
        try tag("folder", nil, on: one)
        try await sync(one, other)
        #expect(try tag(of: "folder", on: other) == nil)
        #expect(try await sync(one, other, one) == [0, 0, 0])
    }

    @Test func aNewFolderBringsItsTags() async throws {
        let (one, other) = try await pair()
        one.folder.makeFolder(at: try place("new", on: one))
        try tag("new", "red", on: one)
        try await sync(one, other)
        #expect(try tag(of: "new", on: other) == "red")
        other.folder.create(Array("more".utf8), at: try place("new/more", on: other))
        #expect(try await sync(other, one, other) == [1, 0, 0])
        #expect(try tag(of: "new", on: one) == "red")
    }

    /// The change time of a folder is that of its list of names too.
    @Test func whatIsPutIntoAFolderIsNoChangeOfIt() async throws {
        let (one, other) = try await pair()
        one.folder.create(Array("more".utf8), at: try place("folder/more", on: one))
        #expect(try await sync(one, other, one, other) == [1, 0, 0, 0])
        one.folder.remove(at: try place("folder/more", on: one))
        #expect(try await sync(one, other, one, other) == [1, 0, 0, 0])
    }

    @Test func aFolderIsMovedAndTaggedAtOnce() async throws {
        let (one, other) = try await pair()
        one.folder.move(from: try place("folder", on: one), to: try place("there", on: one))
        try tag("there", "red", on: one)
        try await sync(one, other)
        #expect(try tag(of: "there", on: other) == "red")
        #expect(other.folder.tree() == one.folder.tree())
    }

    /// A file system without them says nothing about tags: what is edited there keeps those that it has elsewhere.
    @Test func aDeviceThatKeepsNoTagsRemovesNone() async throws {
        let (one, other) = try await pair()
        other.folder.options.keepsExtendedAttributes = false
        try tag("folder", "red", on: one)
        try tag("folder/file", "blue", on: one)
        try await sync(one, other)
        #expect(try tag(of: "folder", on: other) == nil)
        clock.advance(by: RunPlan.tick)
        other.folder.write(Array("edited".utf8), at: try place("folder/file", on: other))
        other.folder.create(Array("more".utf8), at: try place("folder/more", on: other))
        other.folder.move(from: try place("folder", on: other), to: try place("there", on: other))
        try await sync(other, one, other)
        #expect(other.folder.tree() == one.folder.tree())
        #expect(try tag(of: "there", on: one) == "red")
        #expect(try tag(of: "there/file", on: one) == "blue")
    }

    /// Somebody tags a folder after the scan: that is not overwritten by what came meanwhile, it is the later change.
    @Test func aTagSetBeforeAnApplyIsNotOverwritten() async throws {
        let (one, other) = try await pair()
        try tag("folder", "red", on: one)
        try await sync(one)
        _ = try await other.scan()
        try await other.fetch(only: nil)
        try tag("folder", "blue", on: other)
        try await other.apply()
        #expect(try tag(of: "folder", on: other) == "blue")
        try await sync(other, one)
        #expect(try tag(of: "folder", on: one) == "blue")
        #expect(try tag(of: "folder", on: other) == "blue")
    }

    /// In the very moment in which a remote rename is applied: the rename sets the change time, and must not hide it.
    @Test func aTagSetDuringARenameIsSeen() async throws {
        let (one, other) = try await pair()
        one.folder.move(from: try place("folder", on: one), to: try place("there", on: one))
        try await sync(one)
        _ = try await other.scan()
        try await other.fetch(only: nil)
        try tag("folder", "blue", on: other)
        try await other.apply()
        try await sync(other, one)
        #expect(try tag(of: "there", on: one) == "blue")
    }

    /// What could not be read is read by the next scan, though nothing happened since.
    @Test(arguments: [true, false])
    func whatCannotBeReadIsReadLater(isNew: Bool) async throws {
        let (one, other) = try await pair()
        if isNew { one.folder.makeFolder(at: try place("new", on: one)) }
        let path: DrivePath = isNew ? "new" : "folder"
        try tag(path, "red", on: one)
        let error = DriveError(.permissionDenied, "cannot read the attributes", path: "\(path)")
        one.folder.failures = [FolderFailure(.extendedAttributes, error: error)]
        try await sync(one, other)
        one.folder.failures = []
        try await sync(one, other)
        #expect(try tag(of: path, on: other) == "red")
    }

    /// A tag that a power cut takes back after it was sent would look like one that somebody removed.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func aPowerCutTakesNoTagThatWasSent(_ seed: UInt64) async throws {
        let (one, other) = try await pair()
        try one.folder.makeDurable()
        try tag("folder", "red", on: one)
        try await sync(one, other)
        var generator = SeededGenerator(seed: seed)
        one.folder.cutPower(&generator)
        one.folder.restart()
        try await one.restart(afterPowerCut: true)
        try await sync(one, other, one)
        #expect(try tag(of: "folder", on: one) == "red")
        #expect(try tag(of: "folder", on: other) == "red")
    }
}
