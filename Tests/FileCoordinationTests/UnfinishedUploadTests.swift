import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// What an upload that was broken off leaves in the store, with the real engine over a store in memory that gets full.
struct UnfinishedUploadTests {
    private let world = SharedStore()

    /// Bytes that no compression makes shorter, in chunks of which each is an object.
    private static func film(_ seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<(6 << 20) / 8).flatMap { _ in withUnsafeBytes(of: generator.next(), Array.init) }
    }

    private var blobs: [ObjectKey] { world.objects.keys.filter { $0.contains("/blob/") } }

    private func make(_ bytes: [UInt8], _ name: DrivePath, on device: EngineDevice) throws {
        #expect(device.folder.create(bytes, at: try #require(device.folder.place(name))))
    }

    private func isFull(_ device: EngineDevice) async throws -> Bool {
        do {
            _ = try await device.engine.step()
            return false
        } catch let error as DriveError where error.kind == .noSpace { return true }
    }

    /// A store with room for half of the film, which is full of what there was room for.
    private func withHalfAFilm(behind picture: DrivePath? = nil) async throws -> EngineDevice {
        let device = world.device(0)
        _ = try await device.engine.step()
        if let picture { try make(Array(Self.film(3).prefix(1 << 20)), picture, on: device) }
        try make(Self.film(1), "film", on: device)
        world.objects.setCapacity(4 << 20)
        #expect(try await isFull(device))
        #expect(!blobs.isEmpty)
        return device
    }

    private func expectNewcomerHasAll(of device: EngineDevice) async throws {
        let newcomer = world.device(1)
        _ = try await newcomer.engine.step()
        #expect(device.folder.tree() == newcomer.folder.tree() && newcomer.folder.tree().count == 1)
    }

    @Test func whatFoundNoRoomMakesRoomOnceItIsGone() async throws {
        let a = try await withHalfAFilm()
        // Neither a part of the film that is left nor this one has room beside it.
        try make(Array(Self.film(2).prefix(3 << 20)), "talk", on: a)
        #expect(try await isFull(a))
        try a.remove("film")
        _ = try await a.engine.step()
        try await expectNewcomerHasAll(of: a)
        #expect(try await a.faults(hasLostContents: false, isCollecting: true).isEmpty)
    }

    @Test func whoeverWaitsGoesOnWhereItWas() async throws {
        let a = try await withHalfAFilm()
        let before = Set(blobs)
        #expect(try await a.engine.removeUnfinishedUploads() == CollectionOutcome.Size())
        #expect(try await a.engine.collect() == .nothing(unneeded: .init(), until: nil))
        world.objects.setCapacity(.max)
        _ = try await a.engine.step()
        #expect(before.isSubset(of: blobs))
        try await expectNewcomerHasAll(of: a)
        // What others have heard of stays for as long as they may need it.
        try a.remove("film")
        _ = try await a.engine.step()
        #expect(try await a.engine.removeUnfinishedUploads() == CollectionOutcome.Size())
        #expect(before.isSubset(of: blobs))
    }

    /// Of what was sent of it before only what it still has is of use.
    @Test func whatWasSavedAnewMakesRoomForItself() async throws {
        let a = try await withHalfAFilm()
        let before = Set(blobs)
        try a.remove("film")
        try make(Array(Self.film(1).prefix(2 << 20)) + Array(Self.film(2).prefix(1 << 20)), "film", on: a)
        _ = try await a.engine.step()
        #expect(!before.isDisjoint(with: blobs) && !before.isSubset(of: blobs))
        try await expectNewcomerHasAll(of: a)
        #expect(try await a.faults(hasLostContents: false, isCollecting: true).isEmpty)
    }

    @Test func whatIsIgnoredSinceLeavesTheStore() async throws {
        let a = try await withHalfAFilm()
        a.engine.parts.options.ignores = { path, _ in path == "film" }
        let trial = try await a.engine.removeUnfinishedUploads(isTrial: true)
        #expect(trial.objects == blobs.count && trial.bytes > 1 << 20)
        #expect(try await a.engine.removeUnfinishedUploads() == trial)
        #expect(blobs.isEmpty)
        a.engine.parts.options.ignores = { _, _ in false }
        world.objects.setCapacity(.max)
        _ = try await a.engine.step()
        #expect(try await a.faults(hasLostContents: false, isCollecting: true).isEmpty)
    }

    /// The beginning of what was broken off is that of another file, which others have.
    @Test func whatAnotherFileHasStays() async throws {
        let a = try await withHalfAFilm()
        let left = Set(blobs)
        try a.move("film", to: "long")
        try make(Array(Self.film(1).prefix(3 << 20)), "film", on: a)
        a.engine.parts.options.ignores = { path, _ in path == "long" }
        world.objects.setCapacity(.max)
        _ = try await a.engine.step()
        let freed = try await a.engine.removeUnfinishedUploads()
        #expect(freed.objects < left.count && !left.isDisjoint(with: blobs))
        let b = world.device(1)
        _ = try await b.engine.step()
        #expect(b.folder.tree().count == 1)
        #expect(try await a.faults(hasLostContents: false, isCollecting: true).isEmpty)
    }

    /// What fits is sent once, though what comes behind it does not fit.
    @Test func whatComesBeforeIsNotSentAgain() async throws {
        let device = try await withHalfAFilm(behind: "a picture")
        let before = blobs
        for _ in 0..<2 { #expect(try await isFull(device)) }
        #expect(blobs == before)
    }

    /// What was told late, while the film was read, is of the picture.
    @Test func whatComesBeforeStaysWithoutWhatComesBehind() async throws {
        let device = try await withHalfAFilm(behind: "a picture")
        let before = blobs
        try device.remove("film")
        #expect(try await device.engine.removeUnfinishedUploads().objects > 0)
        world.objects.setCapacity(.max)
        _ = try await device.engine.step()
        #expect(!blobs.isEmpty && Set(blobs).isSubset(of: before))
    }

    @Test func whatIsRenamedGoesOnWhereItWas() async throws {
        let a = try await withHalfAFilm()
        let before = blobs
        try a.move("film", to: "film of June")
        #expect(try await isFull(a))
        #expect(blobs == before)
        world.objects.setCapacity(.max)
        _ = try await a.engine.step()
        #expect(Set(before).isSubset(of: blobs))
        #expect(try await a.faults(hasLostContents: false, isCollecting: true).isEmpty)
    }

    /// The file is recorded as it is, and what the store lost of it is on its way again.
    @Test func whatIsStoredAgainIsNotSentInCircles() async throws {
        let a = world.device(0)
        try make(Self.film(1), "film", on: a)
        _ = try await a.engine.step()
        for key in blobs { world.objects.lose(key) }
        try a.state.transaction { try ContentOffer(parts: a.engine.parts).wish() }
        world.objects.setCapacity(4 << 20)
        #expect(try await isFull(a))
        let before = blobs
        #expect(!before.isEmpty)
        #expect(try await isFull(a))
        #expect(blobs == before)
        world.objects.setCapacity(.max)
        for _ in 0..<2 { _ = try await a.engine.step() }
        #expect(Set(before).isSubset(of: blobs))
        try await expectNewcomerHasAll(of: a)
    }

    @Test func aRemovalThatWasBrokenOffGoesOn() async throws {
        let a = try await withHalfAFilm()
        let before = blobs
        try a.remove("film")
        let last = try #require(before.last)
        world.objects.setHook(for: 0) { operation in
            operation.kind == .delete && last.hasSuffix(operation.key)
                ? .failure(DriveError(.unreachable, "The store cannot be reached")) : nil
        }
        do {
            _ = try await a.engine.removeUnfinishedUploads()
            Issue.record("expected the removal to fail")
        } catch let error as DriveError { #expect(error.kind == .unreachable) }
        #expect(blobs == [last])
        world.objects.setHook(for: 0, nil)
        // What is about to go is of use to nobody.
        try make(Self.film(1), "film", on: a)
        world.objects.setCapacity(.max)
        _ = try await a.engine.step()
        _ = try await a.engine.removeUnfinishedUploads()
        #expect(!blobs.isEmpty)
        #expect(try await a.faults(hasLostContents: false).isEmpty)
    }

    /// Of a file with very many chunks a record names but a list, which names what was left.
    @Test func whatAListNamesStays() async throws {
        let a = try await withHalfAFilm()
        let before = Set(blobs)
        let equal = [UInt8](repeating: 1, count: 65 * Chunker.maximum)
        try a.remove("film")
        try make(Self.film(1) + equal, "film", on: a)
        world.objects.setCapacity(.max)
        _ = try await a.engine.step()
        #expect(before.isSubset(of: blobs))
        guard case .list = try a.state.allItems().flatMap(\.state.heads).last?.content.body else {
            Issue.record("the record names every chunk")
            return
        }
        try a.remove("film")
        _ = try await a.engine.step()
        #expect(try await a.engine.removeUnfinishedUploads() == CollectionOutcome.Size())
        #expect(before.isSubset(of: blobs))
    }

    /// A copy of an index may know less than the one that it was copied from has published since.
    @Test func aCopyOfAnIndexRemovesNothing() async throws {
        let a = try await withHalfAFilm()
        try a.engine.parts.fork()
        #expect(try a.state.unfinishedUploads().isEmpty)
        try a.remove("film")
        #expect(try await a.engine.removeUnfinishedUploads() == CollectionOutcome.Size())
        #expect(!blobs.isEmpty)
    }
}
