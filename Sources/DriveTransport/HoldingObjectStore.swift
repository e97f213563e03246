public import DriveCore
import Synchronization

/// Whether what is put now stays on this device.
public final class HoldSwitch: Sendable {
    private let isOnNow = Mutex(false)

    public init() {}

    public var isOn: Bool {
        get { isOnNow.withLock { $0 } }
        set { isOnNow.withLock { $0 = newValue } }
    }
}

/// Keeps what is put while the switch is on, and passes it on before anything else once it is off: nothing is published
/// before the bytes that it names.
///
/// So contents can be recorded while nothing may be sent. Only contents may be kept; heads and journals are not put then.
public struct HoldingObjectStore: ObjectStore {
    let base: any ObjectStore
    /// Nil where nothing was ever kept.
    let kept: @Sendable () -> (any ObjectStore)?
    let emptied: @Sendable () -> Void
    let hold: HoldSwitch

    /// `emptied` is called when all that was kept has been passed on.
    public init(
        _ base: any ObjectStore, hold: HoldSwitch, kept: @escaping @Sendable () -> (any ObjectStore)?,
        emptied: @escaping @Sendable () -> Void = {}
    ) {
        self.base = base
        self.emptied = emptied
        self.hold = hold
        self.kept = kept
    }

    public var capabilities: StoreCapabilities { base.capabilities }

    public func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        if let bytes = try await kept()?.get(key, range: range) { return bytes }
        return try await base.get(key, range: range)
    }

    public func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        guard hold.isOn else {
            try await passOn()
            return try await base.put(key, bytes)
        }
        guard let kept = kept() else {
            throw DriveError(.temporary, "the drive is paused, and nothing may be sent; `docdrive resume` goes on")
        }
        try await kept.put(key, bytes)
    }

    public func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        // Whoever looks what the store has is to find what was kept.
        if !hold.isOn { try await passOn() }
        return try await base.list(prefix: prefix, after: after, limit: limit)
    }

    public func delete(_ key: ObjectKey) async throws(DriveError) {
        try await kept()?.delete(key)
        try await base.delete(key)
    }

    /// An object is forgotten here only once the store has it.
    private func passOn() async throws(DriveError) {
        guard let kept = kept() else { return }
        for object in try await kept.listAll(prefix: "") {
            if let bytes = try await kept.get(object.key, range: nil) { try await base.put(object.key, bytes) }
            try await kept.delete(object.key)
        }
        emptied()
    }
}
