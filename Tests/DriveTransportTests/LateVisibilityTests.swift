import DriveCore
import Testing

@testable import DriveTransport

/// Devices write, fetch and compact over a store that shows every object to every reader when it likes.
@Suite struct LateVisibilityTests {
    @Test(arguments: 0..<300 as Range<UInt64>) func nothingAcknowledgedIsLost(seed: UInt64) async throws {
        let store = TestStore()
        let entropy = TestEntropy(seed)
        var random = Seeded(seed &+ 1_000)
        let info = try await Store.create(in: store.view(), entropy: entropy)
        var rule = CompactionRule()
        rule.smallSegments = 2 + random.below(4)
        rule.small = random.chance(3) ? 400 : 2 << 20
        rule.examineOneIn = 1
        var devices = (0..<2 + random.below(3)).map { JournalDevice($0, store, info, entropy: entropy, rule: rule) }
        store.change {
            $0.delays = seed % 3 == 0 ? [0] : [0, 1, 3, 8, 20, 60]
            $0.random = Seeded(seed)
        }
        for _ in 0..<150 {
            let place = random.below(devices.count)
            store.change { state in
                state.now += 1
                if seed % 2 == 0, random.chance(4) {
                    state.faults = [[.none, .lostAnswer], [.torn], [.none, .torn]].randomElement(using: &random)!
                }
            }
            switch random.below(10) {
            case 0..<4:
                for _ in 0...random.below(3) {
                    let known = devices[place].states.keys.sorted()
                    devices[place].edit(
                        random.chance(2) ? nil : known.randomElement(using: &random), "\(random.next())")
                }
                _ = try await devices[place].commit()
            case 4..<8: try await devices[place].fetch()
            case 8: _ = try await devices[place].commit()
            default: try await devices[place].compact()
            }
            store.change { $0.faults = [] }
        }
        for place in devices.indices { #expect(try await devices[place].commit()) }
        store.change { $0.now += 1_000 }
        for place in devices.indices { #expect(try await devices[place].fetch().problems.isEmpty) }
        let expected = devices.flatMap(\.written).joinedStates
        for device in devices { #expect(device.states == expected) }
        var late = JournalDevice(7, store, info, entropy: entropy)
        try await late.fetch()
        #expect(late.states == expected)
        #expect(store.state.withLock { $0.overwritten }.isEmpty)
    }
}
