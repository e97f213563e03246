import DriveCore
import DriveTesting
import Synchronization
import Testing

/// A segment of a device's own journal that the store has damaged keeps nobody from what comes after it.
struct DamagedJournalTests {
    private let shared = SharedStore()

    /// Of four segments.
    private func author() async throws -> EngineDevice {
        let setup = DeviceSetup(number: 0, store: shared.objects, clock: shared.clock, seed: 5)
        let author = EngineDevice(setup) { $0.longJournal = 64 }
        for number in 0..<4 {
            shared.clock.advance(by: RunPlan.tick)
            try author.make("\(number)", DrivePath([FileName("draft \(number)")]))
            try await shared.sync(author)
        }
        let segments = try author.state.journal().segments
        #expect(segments.count == 4)
        return author
    }

    private func damage(_ segment: SegmentReference, to change: ([UInt8]) -> [UInt8]) throws {
        let key = try #require(shared.objects.keys.first { $0.hasSuffix(segment.key) })
        shared.objects.damage(key, change)
    }

    @Test(arguments: [1, 2]) func whatDamagedSegmentsToldIsPublishedAgain(count: Int) async throws {
        let writer = try await author()
        let damaged = try Array(writer.state.journal().segments[1...count])
        for segment in damaged { try damage(segment) { $0.map { ~$0 } } }
        let early = shared.device(1)
        try await shared.sync(early)
        #expect(early.folder.tree().isEmpty)

        try await writer.commit(compacting: true)
        let named = try writer.state.journal().segments
        #expect(!named.contains { damaged.contains($0) })
        let pending = try writer.state.pendingGroups()
        #expect(pending.isEmpty)
        let late = shared.device(2)
        for _ in 0..<2 { try await shared.sync(early, late) }
        #expect(writer.folder.tree().count == 4)
        #expect(early.folder.tree() == writer.folder.tree())
        #expect(late.folder.tree() == writer.folder.tree())

        // It is tidied as any other, and told of once.
        try await writer.commit(compacting: true)
        let tidied = try writer.state.journal().segments.count
        #expect(tidied == 1)
        let told = try writer.state.events(limit: .max).filter { $0.kind == .recovered }
        #expect(told.count == 1)
    }

    /// What a line made of it is not in the store.
    @Test(arguments: [false, true]) func whatIsReadBadlyIsNotTakenForDamage(eachTime: Bool) async throws {
        let writer = try await author()
        let before = try writer.state.journal().segments
        let last = try writer.state.numbers().last
        let key = before[1].key
        let reads = Mutex(0)
        shared.objects.setHook(for: 0) { operation in
            guard operation.kind == .get, operation.key.hasSuffix(key) else { return nil }
            let read = reads.withLock { count in
                count += 1
                return count
            }
            return eachTime || read == 1 ? .flippedBit(read * 8) : nil
        }
        if eachTime {
            let error = await #expect(throws: DriveError.self) { try await writer.commit(compacting: true) }
            #expect(error?.kind.mayPass == true)
            let left = try writer.state.journal().segments
            #expect(left == before)
            shared.objects.setHook(for: 0, nil)
        }
        try await writer.commit(compacting: true)
        let tidied = try writer.state.journal().segments.count
        #expect(tidied == 1)
        let numbers = try writer.state.numbers()
        #expect(numbers.last == last)
    }
}
