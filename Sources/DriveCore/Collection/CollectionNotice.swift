/// Objects with contents that a device is about to remove from the store, because nothing that it knows of needs them.
/// Everybody else looks first: see `CollectionAnswer`. Immutable.
public struct CollectionNotice: Hashable, Sendable {
    public var device: DeviceID
    /// Tells the collections of a device apart.
    public var nonce: UInt64
    /// What the device had joined when it looked, its own journal included. Who has joined less cannot answer yet.
    public var basis: DeviceVector
    /// In byte order.
    public var objects: [ObjectKey]

    public init(device: DeviceID, nonce: UInt64, basis: DeviceVector, objects: some Sequence<ObjectKey>) {
        self.device = device
        self.nonce = nonce
        self.basis = basis
        self.objects = objects.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Objects of one collection; the rest waits for the next.
    public static let maximumObjects = 100_000
}

/// What a device says about a collection in each of its heads: from here on I refer to none of its objects but those
/// that I keep, and everything that I referred to before is published with this head or before it.
public struct CollectionAnswer: Hashable, Sendable {
    public var device: DeviceID
    public var nonce: UInt64
    /// Places in the collection's list of objects that are needed here; ascending.
    public var kept: [Int]

    public init(device: DeviceID, nonce: UInt64, kept: [Int]) {
        self.device = device
        self.nonce = nonce
        self.kept = kept
    }
}

/// Where the collection lies that a head announces.
public struct CollectionReference: Hashable, Sendable {
    public var nonce: UInt64
    public var size: UInt64
    public var hash: ContentHash

    public init(nonce: UInt64, size: UInt64, hash: ContentHash) {
        self.nonce = nonce
        self.size = size
        self.hash = hash
    }
}

/// What a head says about collections.
public struct CollectionNote: Hashable, Sendable {
    /// The device's own one that is under way.
    public var open: CollectionReference?
    /// One for each collection of others that is under way, by device.
    public var answers: [CollectionAnswer]
    /// Whom nobody needs to wait for, by device.
    public var forgotten: [ForgottenDevice]

    public init(
        open: CollectionReference? = nil, answers: [CollectionAnswer] = [], forgotten: [ForgottenDevice] = []
    ) {
        self.open = open
        self.answers = answers
        self.forgotten = forgotten
    }

    public static let none = CollectionNote()

    public func answer(to device: DeviceID, _ nonce: UInt64) -> CollectionAnswer? {
        answers.first { $0.device == device && $0.nonce == nonce }
    }

    /// From now on nobody waits for these.
    public mutating func forget(_ devices: [ForgottenDevice]) {
        let others = forgotten.filter { one in !devices.contains { $0.device == one.device } }
        forgotten = (others + devices).sorted { $0.device < $1.device }
    }
}
