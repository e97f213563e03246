public import DriveCore
import Synchronization

/// Whether what is put now stays on this device.
public final class HoldSwitch: Sendable {
    private let state = Mutex((isOn: false, longest: UInt64.max))

    public init() {}

    public var isOn: Bool {
        get { state.withLock { $0.isOn } }
        set { state.withLock { $0.isOn = newValue } }
    }

    /// Files of more bytes are left until they can be sent.
    package var longest: UInt64 {
        get { state.withLock { $0.longest } }
        set { state.withLock { $0.longest = newValue } }
    }
}

/// Keeps what is put while the switch is on, until whoever publishes what names it sends it (`unsent`).
///
/// So contents can be recorded while nothing may be sent; only those may be kept, heads and journals are not put then. What is kept
/// is in the way of nothing else: of what the store refuses only the records that name it wait.
public struct HoldingObjectStore: ObjectStore {
    let base: any ObjectStore
    /// Nil where nothing was ever kept.
    let kept: @Sendable () -> (any ObjectStore)?
    let lessened: @Sendable (Set<ObjectKey>) -> Void
    let emptied: @Sendable () -> Void
    let hold: HoldSwitch

    /// `lessened` is called with what is not kept any more, as its store names it, `emptied` when nothing is.
    public init(
        _ base: any ObjectStore, hold: HoldSwitch, kept: @escaping @Sendable () -> (any ObjectStore)?,
        lessened: @escaping @Sendable (Set<ObjectKey>) -> Void = { _ in },
        emptied: @escaping @Sendable () -> Void = {}
    ) {
        self.base = base
        self.lessened = lessened
        self.emptied = emptied
        self.hold = hold
        self.kept = kept
    }

    /// What is kept cannot be cut once the store refuses it for its size: it is small from the start.
    public var capabilities: StoreCapabilities {
        var result = base.capabilities
        if hold.isOn { result.packBytes = min(result.packBytes, Self.keptPack) }
        return result
    }

    /// The least that servers take where nobody has set a limit: nginx takes so much.
    private static let keptPack = 1 << 20

    public func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        if let bytes = try await kept()?.get(key, range: range) { return bytes }
        return try await base.get(key, range: range)
    }

    public func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        guard hold.isOn else { return try await base.put(key, bytes) }
        guard let kept = kept() else {
            throw DriveError(.temporary, "the drive is paused, and nothing may be sent; `docdrive resume` goes on")
        }
        try await kept.put(key, bytes)
    }

    public func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        let stored = try await base.list(prefix: prefix, after: after, limit: limit)
        // Whoever looks what the store has is to find what was kept.
        guard !hold.isOn, let kept = kept() else { return stored }
        let own = try await kept.list(prefix: prefix, after: after, limit: limit)
        if own.isEmpty { return stored }
        let all = Dictionary((stored + own).map { ($0.key, $0) }) { $1 }
        return Array(all.values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.prefix(limit))
    }

    public func delete(_ key: ObjectKey) async throws(DriveError) {
        try await kept()?.delete(key)
        try await base.delete(key)
    }

    /// What is kept of one store.
    public func unsent(of store: StoreID) -> any UnsentObjects { KeptObjects(store: self, prefix: store.objectPrefix) }
}

private final class KeptObjects: UnsentObjects {
    private let store: HoldingObjectStore
    private let prefix: String
    /// Nobody was told yet.
    private let gone = Mutex(Set<ObjectKey>())

    init(store: HoldingObjectStore, prefix: String) {
        self.store = store
        self.prefix = prefix
    }

    func list() async throws(DriveError) -> [StoredObject] {
        guard let kept = store.kept() else { return [] }
        let found = try await kept.listAll(prefix: prefix)
        if found.isEmpty { store.emptied() }
        return found.map { StoredObject(key: String($0.key.dropFirst(prefix.count)), size: $0.size) }
    }

    /// An object is forgotten here only once the store has it.
    func send(_ key: ObjectKey) async throws(DriveError) {
        guard let kept = store.kept() else { return }
        if let bytes = try await kept.get(prefix + key, range: nil) { try await store.base.put(prefix + key, bytes) }
        try await kept.delete(prefix + key)
        gone.withLock { _ = $0.insert(key) }
    }

    func drop(_ keys: [ObjectKey]) async throws(DriveError) {
        guard let kept = store.kept() else { return }
        for key in keys {
            try await kept.delete(prefix + key)
            gone.withLock { _ = $0.insert(key) }
        }
    }

    func settle() {
        let keys = gone.withLock { keys in
            defer { keys = [] }
            return keys
        }
        if !keys.isEmpty { store.lessened(keys) }
    }
}
