import DriveCore
import DriveRemoteStores
import Synchronization

/// A store for which the credentials that a drive keeps are read again: who signs in anew means those, too, who work with the
/// store already.
final class RenewingStore: ObjectStore, StoreLocation {
    typealias Store = any ObjectStore & StoreLocation
    typealias Opening = @Sendable (StoreCredentials?) throws(DriveError) -> Store
    typealias Loading = @Sendable () throws(DriveError) -> StoreCredentials?

    private struct Signed {
        var credentials: StoreCredentials?
        var store: Store
    }

    private let opening: Opening
    private let loading: Loading
    private let signed: Mutex<Signed>

    /// `loading` says what is kept now, and `opening` makes the way there.
    init(loading: @escaping Loading, opening: @escaping Opening) throws(DriveError) {
        self.loading = loading
        self.opening = opening
        let credentials = try loading()
        signed = Mutex(Signed(credentials: credentials, store: try opening(credentials)))
    }

    /// True where others are kept now than those that were used, or where the files of other programs say something else by now.
    /// What cannot be read changes nothing.
    @discardableResult
    func renew() -> Bool {
        do throws(DriveError) {
            let credentials = try loading()
            if credentials == signed.withLock({ $0.credentials }) {
                return (store as? any SigningStore)?.renewLogin() ?? false
            }
            let store = try opening(credentials)
            signed.withLock { $0 = Signed(credentials: credentials, store: store) }
            return true
        } catch { return false }
    }

    private var store: Store { signed.withLock { $0.store } }

    /// Those that calls are made with now.
    var credentials: StoreCredentials? { signed.withLock { $0.credentials } }

    /// Once more where the store knows nobody of this name, and another name is kept by now.
    private func trying<Result>(
        _ call: (Store) async throws(DriveError) -> Result
    ) async throws(DriveError) -> Result {
        do { return try await call(store) } catch {
            guard error.kind == .notAuthenticated, renew() else { throw error }
        }
        return try await call(store)
    }

    var capabilities: StoreCapabilities { store.capabilities }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        try await trying { (store) async throws(DriveError) in try await store.get(key, range: range) }
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        try await trying { (store) async throws(DriveError) in try await store.put(key, bytes) }
    }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await trying { (store) async throws(DriveError) in
            try await store.list(prefix: prefix, after: after, limit: limit)
        }
    }

    func delete(_ key: ObjectKey) async throws(DriveError) {
        try await trying { (store) async throws(DriveError) in try await store.delete(key) }
    }

    func look() async throws(DriveError) -> StoreFinding {
        try await trying { (store) async throws(DriveError) in try await store.look() }
    }

    func create() async throws(DriveError) {
        try await trying { (store) async throws(DriveError) in try await store.create() }
    }

    func remove() async throws(DriveError) {
        try await trying { (store) async throws(DriveError) in try await store.remove() }
    }
}
