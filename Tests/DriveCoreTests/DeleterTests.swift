import DriveCore
import Testing

/// Who deleted something, as far as its records tell.
struct DeleterTests {
    private static let a = DeviceID(high: 1, low: 0)
    private static let b = DeviceID(high: 2, low: 0)

    /// Made by the first record of the one device, and deleted.
    private func item(_ known: (DeviceID, UInt64)...) -> ItemState {
        let made = Dot(device: Self.a, n: 1)
        let tag = Tag(time: HybridTime(milliseconds: 1), dot: made)
        var context = DeviceVector()
        for (device, n) in known { context[device] = n }
        return ItemState(
            id: ItemID(high: 1, low: 1), kind: .file, context: context, name: Register(tag: tag, value: "f"),
            placement: Register(tag: tag, value: Placement(parent: .root, from: .root)),
            life: [LifeDot(dot: made, mark: .bySelf)])
    }

    @Test func whoWroteNothingIntoItDeletedIt() {
        #expect(item((Self.a, 2)).deleter == Self.a)
        #expect(item((Self.a, 1), (Self.b, 3)).deleter == Self.b)
    }

    /// Both deleted it; or what one of them had written was replaced since.
    @Test func ofSeveralNobodyIsNamed() { #expect(item((Self.a, 2), (Self.b, 3)).deleter == nil) }

    @Test func ofWhatLivesNobodyIs() { #expect(item((Self.a, 1)).deleter == nil) }
}
