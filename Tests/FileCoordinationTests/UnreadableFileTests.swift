import DriveCore
import DriveTesting
import Testing

/// A file that its disk, or its owner, does not let anybody read stops neither the rest nor the passes to come.
struct UnreadableFileTests {
    private let clock = ManualClock()
    private let damaged = FolderFailure(.readBytes, error: DriveError(.inputOutput, "The disk reports an error"))

    private func tell(_ devices: EngineDevice...) async throws { try await clock.tell(devices) }

    private func place(_ name: FileName) -> Place { Place(folder: MemoryFolder.root, name: name) }

    /// Two devices; the other has fetched, and not applied, an edit, a delete and a new file.
    private func pair() async throws -> (EngineDevice, EngineDevice) {
        let store = MemoryObjectStore(clock: clock)
        let devices = (0..<2).map { EngineDevice(DeviceSetup(number: $0, store: store, clock: clock, seed: 7)) }
        let (author, other) = (devices[0], devices[1])
        for name in ["edited", "gone"] as [FileName] {
            author.folder.create(Array("old \(name)".utf8), at: place(name))
        }
        try await tell(author, other)
        try await other.apply()
        try await tell(other)
        author.folder.save(Array("new".utf8), at: place("edited"))
        author.folder.remove(at: place("gone"))
        author.folder.create(Array("placed".utf8), at: place("placed"))
        try await tell(author, other)
        return (author, other)
    }

    @Test func whatCannotBeReadGoesToTheTrashAsItIs() async throws {
        let (author, other) = try await pair()
        other.folder.failures = [damaged]
        try await other.apply()
        other.folder.failures = []
        #expect(other.folder.tree() == author.folder.tree())
        let kept = Set(other.folder.contents(of: .trash).map { String(decoding: $0, as: UTF8.self) })
        #expect(kept == ["old edited", "old gone"])
        let entries = try other.state.trash()
        #expect(Set(entries.map(\.path)) == ["edited", "gone"])
        #expect(entries.allSatisfy { $0.hash == nil })
        #expect(other.folder.contents(of: .outgoing).isEmpty)
        #expect(try await other.scan() == 0)
    }

    /// And a process that dies at any moment of it leaves nothing that the next one stumbles over.
    @Test(arguments: [false, true])
    func aDeathInTheMiddleOfItStopsNothing(isAfter: Bool) async throws {
        var call = 0
        while true {
            let (author, other) = try await pair()
            other.folder.failures = [damaged]
            let hasEnded = try await other.applyUntilDeath(at: call, isAfter: isAfter)
            try await other.apply()
            other.folder.failures = []
            #expect(try await other.scan() == 0, "call \(call)")
            try await other.apply()
            #expect(other.folder.tree() == author.folder.tree(), "call \(call)")
            let kept = Set(other.folder.contents(of: .trash).map { String(decoding: $0, as: UTF8.self) })
            #expect(kept == ["old edited", "old gone"], "call \(call)")
            #expect(Set(try other.state.trash().map(\.path)) == ["edited", "gone"], "call \(call)")
            if hasEnded { break }
            call += 1
        }
        #expect(call > 20)
    }

    /// What somebody saved in the last moment, on a disk that cannot read it, is nothing that was to go.
    @Test func whatWasSavedMeanwhileGoesBackUnread() async throws {
        let (_, other) = try await pair()
        let folder = other.folder
        folder.failures = [damaged]
        folder.beforeOperation = { [self] operation throws(DriveError) in
            switch (operation.kind, operation.name) {
            case (.exchange, _): if folder.contents(of: .outgoing).count == 1 { folder.write([1], at: place("edited")) }
            case (.move, "gone"): folder.save([2], at: place("gone"))
            default: break
            }
        }
        try await other.apply()
        folder.beforeOperation = nil
        folder.failures = []
        #expect(folder.tree()["edited"] == .file([1]))
        #expect(folder.tree()["gone"] == .file([2]))
        #expect(folder.tree()["placed"] != nil)
    }

    @Test func whatMayNotBeReadStaysAndIsNamed() async throws {
        let (author, other) = try await pair()
        let denied = DriveError(.permissionDenied, "cannot open the file: permission denied")
        other.folder.failures = ["edited", "gone"].map { FolderFailure(.read, name: $0, error: denied) }
        try await other.apply()
        try await tell(other)
        try await other.apply()
        #expect(other.folder.tree()["edited"] == .file(Array("old edited".utf8)))
        #expect(other.folder.tree()["gone"] != nil && other.folder.tree()["placed"] != nil)
        #expect(Set(try other.state.problems().map(\.path)) == ["edited", "gone"])
        #expect(other.folder.contents(of: .outgoing).isEmpty && other.folder.contents(of: .trash).isEmpty)
        other.folder.failures = []
        try await other.apply()
        #expect(other.folder.tree() == author.folder.tree())
        #expect(try other.state.problems().isEmpty)
    }

    /// Left by a process long gone: nobody knows what it is.
    @Test func whatLiesInStagingIsKeptUnread() async throws {
        let (_, other) = try await pair()
        let outgoing = try other.folder.open(FileArea.outgoing).number
        other.folder.create([7], at: Place(folder: outgoing, name: "out-3-nonce"))
        other.folder.failures = [damaged]
        try await other.restart(afterPowerCut: false)
        try await other.apply()
        #expect(other.folder.contents(of: .trash).contains([7]))
        #expect(other.folder.contents(of: .outgoing).isEmpty)
        #expect(try other.state.trash().contains { $0.hash == nil && $0.name.description.hasPrefix("rescued-") })
    }

    /// Nothing is fetched that lies here, but what lies here has to be read.
    @Test func aTwinThatCannotBeReadIsFetched() async throws {
        let (author, other) = try await pair()
        try await other.apply()
        author.folder.create(Array("placed".utf8), at: place("twin"))
        try await tell(author, other)
        other.folder.failures = [FolderFailure(.readBytes, name: "placed", error: damaged.error)]
        try await other.apply()
        #expect(other.folder.tree()["twin"] == .file(Array("placed".utf8)))
        #expect(try other.state.problems().isEmpty)
    }
}
