@testable import DriveCore
import DriveTesting
import Testing

@Suite struct PackedStatesTests {
    @Test(arguments: 0..<20) func eachIsWhatWasSetLast(seed: UInt64) throws {
        var writers = ViewWriters(seed: seed, devices: 3)
        for _ in 0..<60 { writers.step() }
        var packed = PackedStates()
        var expected: [ItemID: ItemState] = [:]
        for record in writers.records {
            let state = expected[record.id]?.joined(record) ?? record
            expected[record.id] = state
            packed.set(state)
        }
        var found: [ItemState] = []
        try packed.each { found.append($0) }
        #expect(found.count == expected.count && packed.count == expected.count)
        #expect(Set(found) == Set(expected.values))
        for (id, state) in expected {
            let one = try packed.state(id)
            #expect(one == state && packed.contains(id))
        }
    }

    @Test func thoseOfSeveralBlocksAreWhole() throws {
        var writers = ViewWriters(seed: 1, devices: 1)
        while writers.records.count < 3 { writers.step() }
        let first = try #require(writers.records.first)
        var packed = PackedStates()
        for number in 1...UInt64(40) {
            var state = ItemState(
                id: ItemID(high: number, low: 0), kind: first.kind, context: first.context, name: first.name,
                placement: first.placement, life: first.life)
            state.attributes[.tags] = Register(
                tag: first.name.tag, value: [UInt8](repeating: UInt8(number), count: 60_000))
            packed.set(state)
        }
        for number in 1...UInt64(40) {
            let found = try packed.state(ItemID(high: number, low: 0))
            #expect(found?.attributes[.tags]?.value.first == UInt8(number))
        }
        #expect(try packed.state(.root) == nil)
    }
}
