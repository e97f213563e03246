/// When what is not needed leaves the store. All times in milliseconds.
public struct CollectionRule: Hashable, Sendable {
    /// Nothing is removed before it was seen unneeded for so long: as long as deleted files stay in the trash.
    public var age: UInt64 = 30 * Self.day
    /// From the announcement of a collection to its end, at least. Longer than twice what an object needs to become
    /// visible to everybody.
    public var grace: UInt64 = Self.day
    /// After this a device that has not answered counts as gone. When it comes back it looks for itself whether the store
    /// still has what it needs.
    public var patience: UInt64 = 90 * Self.day
    /// How often a device looks after the store.
    public var interval: UInt64 = Self.day
    /// What files here need and the store does not list counts as lost after so long: lists may be late.
    public var lossDelay: UInt64 = 3_600_000
    /// Whether this device starts collections.
    public var collects = true

    private static let day: UInt64 = 86_400_000

    public init() {}
}
