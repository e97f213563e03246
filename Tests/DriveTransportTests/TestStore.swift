import DriveCore
import Synchronization

/// A store that shows each object to each reader when it likes, and fails when told to.
final class TestStore: Sendable {
    struct State {
        var objects: [ObjectKey: [UInt8]] = [:]
        var writer: [ObjectKey: Int] = [:]
        var visibleAt: [ObjectKey: [Int: Int]] = [:]
        var now = 0
        var random = Seeded(0)
        var delays = [0]
        var faults: [Fault] = []
        /// It takes no object of more bytes.
        var limit = Int.max
        var puts: [ObjectKey] = []
        var gets: [(key: ObjectKey, range: Range<UInt64>?)] = []
        var overwritten: [ObjectKey] = []
        /// How often reading fails, or brings something else, until it does not.
        var failingReads: [ObjectKey: Int] = [:]
        var wrongReads: [ObjectKey: Int] = [:]
    }

    enum Fault { case none, lostAnswer, torn }

    let state = Mutex(State())

    /// The store as one reader sees it; its own objects it sees at once.
    func view(_ reader: Int = 0) -> StoreView { StoreView(store: self, reader: reader) }

    subscript(key: ObjectKey) -> [UInt8]? {
        get { state.withLock { $0.objects[key] } }
        set { state.withLock { $0.objects[key] = newValue } }
    }

    func keys(_ part: String) -> [ObjectKey] {
        // Foundation's `contains`, which every file sees where one imports it, finds nothing in "".
        state.withLock { $0.objects.keys.filter { part.isEmpty || $0.contains(part) }.sorted() }
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
}

struct StoreView: ObjectStore {
    let store: TestStore
    let reader: Int
    var capabilities: StoreCapabilities { StoreCapabilities() }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        let result = store.state.withLock { state -> Result<[UInt8]?, DriveError> in
            state.gets.append((key, range))
            guard var bytes = state.objects[key], state.isVisible(key, reader) else { return .success(nil) }
            if state.failingReads.takesOne(key) { return .failure(DriveError(.inputOutput, "EIO", path: key)) }
            if state.wrongReads.takesOne(key) { bytes[bytes.count / 2] ^= 1 }
            guard let range else { return .success(bytes) }
            let start = min(Int(range.lowerBound), bytes.count)
            return .success(Array(bytes[start..<max(start, min(Int(clamping: range.upperBound), bytes.count))]))
        }
        return try result.get()
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        let failure = store.state.withLock { state -> DriveError? in
            if bytes.count > state.limit { return DriveError(.tooLarge, "413, said the server", path: key) }
            let fault = state.faults.isEmpty ? .none : state.faults.removeFirst()
            let stored = fault == .torn ? Array(bytes.prefix(bytes.count / 2)) : bytes
            if let old = state.objects[key], old != stored { state.overwritten.append(key) }
            state.objects[key] = stored
            state.puts.append(key)
            state.writer[key] = reader
            state.visibleAt[key] = [:]
            for other in 0..<8 { state.visibleAt[key]![other] = state.now + state.delay() }
            return fault == .none ? nil : DriveError(.unreachable, "The answer was lost")
        }
        if let failure { throw failure }
    }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        store.state.withLock { state in
            let keys = state.objects.keys.filter { key in
                key.hasPrefix(prefix) && (after ?? "") < key && state.isVisible(key, reader)
            }
            return keys.sorted().prefix(limit).map { StoredObject(key: $0, size: UInt64(state.objects[$0]!.count)) }
        }
    }

    func delete(_ key: ObjectKey) async throws(DriveError) {
        store.state.withLock { $0.objects[key] = nil }
    }
}

extension [ObjectKey: Int] {
    fileprivate mutating func takesOne(_ key: ObjectKey) -> Bool {
        guard let left = self[key], left > 0 else { return false }
        self[key] = left - 1
        return true
    }
}

extension TestStore.State {
    mutating func delay() -> Int { delays[random.below(delays.count)] }

    func isVisible(_ key: ObjectKey, _ reader: Int) -> Bool {
        writer[key] == reader || visibleAt[key]?[reader] ?? 0 <= now
    }
}

final class TestEntropy: Entropy {
    private let random: Mutex<Seeded>

    init(_ seed: UInt64) { random = Mutex(Seeded(seed)) }

    func next() -> UInt64 { random.withLock { $0.next() } }
}
