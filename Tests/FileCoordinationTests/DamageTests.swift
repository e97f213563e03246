import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// Bytes that a disk has lost are found, brought back from the store, and never sent to anybody.
@Suite struct DamageTests {
    private let clock = ManualClock()
    private let store: MemoryObjectStore
    private let writer: EngineDevice

    init() async throws {
        store = MemoryObjectStore(clock: clock)
        writer = Self.device(0, store, clock)
        let place = try #require(writer.folder.place("thesis"))
        #expect(writer.folder.create(Array("the only copy".utf8), at: place))
        try await turn(writer)
    }

    private static func device(_ number: Int, _ store: MemoryObjectStore, _ clock: ManualClock) -> EngineDevice {
        EngineDevice(DeviceSetup(number: number, store: store, clock: clock, seed: 11))
    }

    private func turn(_ device: EngineDevice) async throws {
        _ = try await device.scan()
        try await device.commit(compacting: false)
        try await device.fetch(only: nil)
        try await device.apply()
    }

    private func damage(_ device: EngineDevice) throws {
        let place = try #require(device.folder.place("thesis"))
        #expect(device.folder.writeSilently(Array("the 0nly copy".utf8), at: place))
    }

    private func damaged(_ device: EngineDevice) throws -> [DrivePath] {
        var check = FileCheck(files: device.folder, rows: device.state)
        try check.run()
        return check.outcome.damaged.map(\.path)
    }

    private var content: TreeEntry { .file(Array("the only copy".utf8)) }
    private var wrong: TreeEntry { .file(Array("the 0nly copy".utf8)) }

    @Test func aDamagedFileIsFoundAndBroughtBackAndWhatWasThereIsKept() async throws {
        #expect(try damaged(writer).isEmpty)
        try damage(writer)
        #expect(try damaged(writer) == ["thesis"])
        let repaired = try await writer.engine.repairFiles(["thesis"])
        #expect(repaired.map(\.obstacle) == [nil])
        #expect(writer.folder.tree() == ["thesis": content])
        #expect(writer.folder.contents(of: .trash) == [Array("the 0nly copy".utf8)])
        #expect(try writer.state.trash().map(\.reason) == [.damaged])
        #expect(try damaged(writer).isEmpty)
        // Nothing to tell anybody.
        #expect(try await writer.scan() == 0)
    }

    @Test func anEditThatShowsInTheDatesIsNoDamage() async throws {
        let place = try #require(writer.folder.place("thesis"))
        clock.advance(by: 5_000)
        #expect(writer.folder.write(Array("a better one!".utf8), at: place))
        #expect(try damaged(writer).isEmpty)
        #expect(try await writer.engine.repairFiles(["thesis"]).isEmpty)
        #expect(try await writer.scan() == 1)
    }

    @Test func aFileThatWasOnlyTouchedIsCompared() async throws {
        let place = try #require(writer.folder.place("thesis"))
        clock.advance(by: 5_000)
        #expect(writer.folder.setMode(0o600, at: place))
        var check = FileCheck(files: writer.folder, rows: writer.state)
        try check.run()
        #expect(check.outcome.files == 1 && check.outcome.changed == 0 && check.outcome.damaged.isEmpty)
    }

    /// Of a disk's loss and a program that sets dates back nobody can tell which it was, so nothing replaces it.
    @Test func whatWasTouchedAndHasOtherBytesIsNamedAndLeftAsItIs() async throws {
        try damage(writer)
        let place = try #require(writer.folder.place("thesis"))
        clock.advance(by: 5_000)
        #expect(writer.folder.setMode(0o600, at: place))
        var check = FileCheck(files: writer.folder, rows: writer.state)
        try check.run()
        #expect(check.outcome.damaged.map(\.isTouched) == [true] && check.outcome.readings.isEmpty)
        let repaired = try await writer.engine.repairFiles(["thesis"])
        #expect(repaired.count == 1 && repaired[0].obstacle != nil)
        #expect(writer.folder.tree() == ["thesis": wrong])
        #expect(writer.folder.contents(of: .trash).isEmpty)
        #expect(try await writer.scan() == 1)
    }

    @Test func whatTheStoreDoesNotHaveWholeIsLeftAsItIs() async throws {
        let pack = try #require(store.keys.first { $0.contains("/pack/") })
        for change in 0..<2 {
            if change == 0 { store.damage(pack) { $0.flipped(bit: 40) } } else { store.lose(pack) }
            try damage(writer)
            let repaired = try await writer.engine.repairFiles(["thesis"])
            #expect(repaired.count == 1 && repaired[0].obstacle != nil)
            #expect(writer.folder.tree() == ["thesis": wrong])
            #expect(writer.folder.contents(of: .trash).isEmpty)
        }
    }

    @Test func aDamagedFileIsNoReplacementForALostPack() async throws {
        let reader = Self.device(1, store, clock)
        try await turn(reader)
        let pack = try #require(store.keys.first { $0.contains("/pack/") })
        let key = try #require(pack.split(separator: "/", maxSplits: 2).last.map(String.init))
        let hash = try #require(try writer.state.allRows().compactMap(\.hash).first)
        store.lose(pack)
        try damage(writer)
        // It is asked to store again what it cannot.
        try await writer.engine.repairStore(StoreRepair(objects: [key], contents: [hash.bytes]))
        for _ in 0..<2 { try await turn(writer) }
        try await turn(reader)
        #expect(reader.folder.tree() == ["thesis": content])
        #expect(reader.folder.contents(of: .trash).isEmpty)

        // The other one can; and what is damaged here is not in the way.
        try await reader.engine.repairStore(StoreRepair(objects: [key], contents: [hash.bytes]))
        for _ in 0..<2 { try await turn(reader) }
        let newcomer = Self.device(2, store, clock)
        for _ in 0..<2 { try await turn(newcomer) }
        #expect(newcomer.folder.tree() == ["thesis": content])
        try await turn(writer)
        _ = try await writer.engine.repairFiles(["thesis"])
        #expect(writer.folder.tree() == ["thesis": content])
    }

    @Test func noNewRecordRefersToADamagedObject() async throws {
        let pack = try #require(store.keys.first { $0.contains("/pack/") })
        let key = try #require(pack.split(separator: "/", maxSplits: 2).last.map(String.init))
        store.damage(pack) { $0.flipped(bit: 40) }
        // Known to be damaged, and the content that lay there is on no list.
        try await writer.engine.repairStore(StoreRepair(objects: [key]))
        let place = try #require(writer.folder.place("copy"))
        #expect(writer.folder.create(Array("the only copy".utf8), at: place))
        try await turn(writer)
        let newcomer = Self.device(2, store, clock)
        for _ in 0..<2 { try await turn(newcomer) }
        // What cannot be fetched as the one is copied from the other.
        #expect(newcomer.folder.tree() == ["copy": content, "thesis": content])
    }

    @Test func anIndexThatContradictsItselfIsFound() async throws {
        #expect(try IndexCheck(writer.state).findings.isEmpty)
        let item = try #require(try writer.state.allItems().first)
        var wrong = item
        wrong.shape.isAlive.toggle()
        try writer.state.save(wrong)
        #expect(try IndexCheck(writer.state).findings.map(\.path) == ["thesis"])
        try writer.state.save(item)
        var row = try #require(try writer.state.allRows().first { $0.id != .root })
        let hash = row.hash
        row.hash = ContentHash(words: (1, 2, 3, 4))
        try writer.state.save(row)
        #expect(try IndexCheck(writer.state).findings.map(\.path) == ["thesis"])
        #expect(try IndexCheck(writer.state, only: ["thesis"]).findings.map(\.path) == ["thesis"])
        #expect(try IndexCheck(writer.state, only: ["another"]).findings.isEmpty)
        row.hash = hash
        row.parent = RowID(rawValue: 4711)
        try writer.state.save(row)
        #expect(try IndexCheck(writer.state).findings.count == 1)
    }
}

extension [UInt8] {
    fileprivate func flipped(bit: Int) -> [UInt8] {
        var bytes = self
        bytes[bit / 8 % count] ^= 1 << UInt8(bit % 8)
        return bytes
    }
}
