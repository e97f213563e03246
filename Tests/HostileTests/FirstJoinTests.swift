import DriveCore
import DriveTesting
import Foundation
import Testing

/// Whoever knows nothing of its folder hears all that others have to say first, though it is more than is read at once.
struct FirstJoinTests {
    private func newcomer(_ world: World, _ objects: (any ObjectStore)? = nil) async throws -> Device {
        for (number, name) in ["first", "second", "third"].enumerated() {
            let device = try world.device(name)
            try await device.sync()
            try device.write("of \(number)", "text of \(number)")
            try await device.sync()
        }
        let newcomer = try world.device("newcomer", objects: objects, portion: 1)
        for number in 0..<3 { try newcomer.write("of \(number)", "text of \(number)") }
        return newcomer
    }

    @Test func whatOthersHaveIsNotTakenForNew() async throws {
        let world = try World()
        let newcomer = try await newcomer(world)
        #expect(try newcomer.engine.isBeforeJoin)
        try await newcomer.engine.joinFirst()
        #expect(try newcomer.index.token().entries.count == 3)
        #expect(try !newcomer.engine.isBeforeJoin)
        #expect(try await newcomer.sync().records == 0)
    }

    @Test func interruptedItIsStillToBeDone() async throws {
        let world = try World()
        let failing = BreakingStore(base: world.objects)
        let newcomer = try await newcomer(world, failing)
        failing.breaks(after: 1)
        await #expect(throws: DriveError.self) { try await newcomer.engine.joinFirst() }
        #expect(try newcomer.index.token().entries.count == 1)
        #expect(try newcomer.engine.isBeforeJoin)
        failing.breaks(after: .max)
        try await newcomer.engine.joinFirst()
        #expect(try await newcomer.sync().records == 0)
    }
}
