import DriveCore
import Synchronization

/// A store in memory that several devices share, each through its own `view(for:)`.
///
/// In `.sync` mode it is a folder that a file-syncing service carries about: each object becomes visible to each reader
/// after a delay of its own, in any order. It refuses to store a key twice with different bytes, which every writer
/// promises not to do.
public final class MemoryObjectStore: Sendable {
    public let clock: ManualClock
    private let shared: Mutex<State>

    public enum Mode: Hashable, Sendable {
        case strong
        /// Delays in milliseconds, one of which is chosen by seed for each object and reader.
        case sync(seed: UInt64, delays: [UInt64], delaysDeletes: Bool = false)
    }

    /// The objects at one moment.
    public struct Image: Sendable {
        var objects: [ObjectKey: StoredBytes]
    }

    public init(clock: ManualClock = ManualClock(), mode: Mode = .strong) {
        self.clock = clock
        shared = Mutex(State(mode: mode))
    }

    /// The store as one device sees it. Views of one number are the same device.
    public func view(for reader: Int) -> StoreView { StoreView(store: self, reader: reader) }

    public var mode: Mode {
        get { shared.withLock { $0.mode } }
        set { shared.withLock { $0.mode = newValue } }
    }

    /// Bytes that all objects may hold together.
    public func setCapacity(_ capacity: UInt64) { shared.withLock { $0.capacity = capacity } }

    public func setReachable(_ isReachable: Bool, for reader: Int) {
        shared.withLock { $0.readers[reader, default: Reader()].isReachable = isReachable }
    }

    /// Asked before each call of the reader; nil lets the call be.
    public func setHook(for reader: Int, _ hook: (@Sendable (StoreOperation) -> StoreFault?)?) {
        shared.withLock { $0.readers[reader, default: Reader()].hook = hook }
    }

    /// The reader's process is gone: each of its calls throws until `restart`.
    public func kill(_ reader: Int) { shared.withLock { $0.readers[reader, default: Reader()].isDead = true } }

    public func restart(_ reader: Int) { shared.withLock { $0.readers[reader, default: Reader()].isDead = false } }

    /// Broken promises of the writers so far.
    public var violations: [String] { shared.withLock { $0.violations } }

    /// Every key that is there, in byte order, whoever may see it.
    public var keys: [ObjectKey] {
        shared.withLock { state in state.keys.filter { state.objects[$0]?.deleted == nil } }
    }

    public func bytes(of key: ObjectKey) -> [UInt8]? { shared.withLock { $0.objects[key]?.bytes } }

    public func image() -> Image { shared.withLock { Image(objects: $0.objects) } }

    /// The store is what it was: a restored backup. Objects whose keys are `spared` stay as they are.
    public func rollBack(to image: Image, sparing spared: (ObjectKey) -> Bool = { _ in false }) {
        shared.withLock { state in
            state.objects = image.objects.merging(state.objects.filter { spared($0.key) }) { $1 }
            state.keys = state.objects.keys.sorted(by: bytesPrecede)
            state.used = state.objects.values.reduce(0) { $0 + UInt64($1.bytes.count) }
        }
    }

    /// What bad hardware does: changes what an object holds.
    public func damage(_ key: ObjectKey, _ change: ([UInt8]) -> [UInt8]) {
        shared.withLock { state in
            guard let bytes = state.objects[key]?.bytes else { return }
            state.objects[key]?.bytes = change(bytes)
        }
    }

    /// Removes an object behind everybody's back.
    public func lose(_ key: ObjectKey) { shared.withLock { $0.remove(key) } }
}

extension MemoryObjectStore {
    /// Counts the call and decides what happens to it. Throws where nothing will.
    func begin(
        _ kind: StoreOperation.Kind, _ key: ObjectKey, reader: Int
    ) throws(DriveError) -> StoreFault? {
        let (state, number) = shared.withLock { state in
            let found = state.readers[reader, default: Reader()]
            state.readers[reader, default: Reader()].calls += 1
            return (found, found.calls)
        }
        if state.isDead { throw .simulatedCrash }
        // Outside of the lock, because the hook may be a person who looks at the store.
        let fault = state.hook?(StoreOperation(kind: kind, key: key, reader: reader, number: number))
        if !state.isReachable { throw DriveError(.unreachable, "The store cannot be reached") }
        switch fault {
        case .failure(let error): throw error
        case .killedBefore:
            kill(reader)
            throw .simulatedCrash
        default: return fault
        }
    }

    /// Throws what the fault makes of a call whose effect has happened.
    func end(_ fault: StoreFault?, reader: Int) throws(DriveError) {
        switch fault {
        case .lostAnswer, .torn: throw DriveError(.unreachable, "The store did not answer")
        case .killedAfter, .killedTorn:
            kill(reader)
            throw .simulatedCrash
        default: return
        }
    }

    func visibleBytes(_ key: ObjectKey, to reader: Int) -> [UInt8]? {
        let now = clock.milliseconds()
        return shared.withLock { state in
            guard let object = state.objects[key], state.isVisible(key, object, to: reader, at: now) else { return nil }
            return object.bytes
        }
    }

    func store(_ key: ObjectKey, _ bytes: [UInt8], kept: Int?, writer: Int) throws(DriveError) {
        let now = clock.milliseconds()
        let error: DriveError? = shared.withLock { state in
            if let before = state.intended[key], before != bytes {
                state.violations.append("\(key) was put twice, with different bytes")
                return DriveError(.internalFault, "An object was put twice with different bytes", path: key)
            }
            let stored = kept.map { Array(bytes.prefix($0)) } ?? bytes
            let before = state.objects[key]
            let freed = UInt64(before?.bytes.count ?? 0)
            if state.used - freed + UInt64(stored.count) > state.capacity {
                return DriveError(.noSpace, "The store is full")
            }
            state.intended[key] = bytes
            if before == nil { state.keys.insert(key, at: state.position(of: key)) }
            // Finishing an object does not make it late again.
            let time = before?.deleted == nil ? before?.time ?? now : now
            state.objects[key] = StoredBytes(bytes: stored, writer: writer, time: time)
            state.used = state.used - freed + UInt64(stored.count)
            return nil
        }
        if let error { throw error }
    }

    func visibleKeys(prefix: String, after: ObjectKey?, limit: Int, to reader: Int) -> [StoredObject] {
        let now = clock.milliseconds()
        return shared.withLock { state in
            var result: [StoredObject] = []
            var place = state.position(of: prefix)
            if let after { place = max(place, state.position(of: after)) }
            while place < state.keys.count, result.count < limit, state.keys[place].hasPrefix(prefix) {
                let key = state.keys[place]
                place += 1
                if key == after { continue }
                guard let object = state.objects[key], state.isVisible(key, object, to: reader, at: now) else {
                    continue
                }
                result.append(StoredObject(key: key, size: UInt64(object.bytes.count)))
            }
            return result
        }
    }

    func delete(_ key: ObjectKey) {
        let now = clock.milliseconds()
        shared.withLock { state in
            guard case .sync(_, _, delaysDeletes: true) = state.mode else { return state.remove(key) }
            if state.objects[key]?.deleted == nil { state.objects[key]?.deleted = now }
        }
    }
}
