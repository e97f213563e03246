import DriveCore
import DriveFiles
import DriveRemoteStores
import DriveTransport
import FileCoordination
import Foundation

/// The way to a store, for as long as somebody works with it. Nothing is connected before the first call.
struct StoreAccess: Sendable {
    let address: StoreAddress
    /// As the drive uses it: calls that failed are made again where that helps.
    let objects: any ObjectStore
    let location: any StoreLocation
    /// What keeps calls from a store that does not answer; a folder needs none.
    private let circuit: StoreCircuit?
    let flaws = StoreFlaws()
    /// Where it may become known to the store by another name.
    private let renewing: RenewingStore?

    /// What a person knows of a store beside its address.
    struct Means: Sendable {
        var credentials: StoreCredentials?
        /// Where they are kept, in place of `credentials`: they may be others later.
        var keeping: RenewingStore.Loading?
        var pace = TransferPace.unlimited
        /// A drive has been there.
        var isKnown = false
        /// Is told why a call waits, and until when (milliseconds since 1970); nil once it goes on.
        var tell: @Sendable (StoreWait?) -> Void = { _ in }
    }

    init(_ address: StoreAddress, _ means: Means) throws(DriveError) {
        switch address {
        case .folder(let folder): self.init(address, in: folder, means.pace)
        case .remote(let url):
            let opening: RenewingStore.Opening = { (credentials) throws(DriveError) in
                var options = RemoteStoreOptions(
                    credentials: credentials, environment: ProcessInfo.processInfo.environment)
                options.pace = means.pace
                options.isKnown = means.isKnown
                return try RemoteStores.open(url, options)
            }
            let renewing = try means.keeping.map { (loading) throws(DriveError) in
                try RenewingStore(loading: loading, opening: opening)
            }
            let store = if let renewing { renewing as RenewingStore.Store } else { try opening(means.credentials) }
            self.init(address, over: store, renewing: renewing, tell: means.tell)
        }
    }

    private init(_ address: StoreAddress, in folder: FolderPath, _ pace: TransferPace) {
        self.address = address
        let pool = DiskPool(label: "docdrive.store") { BlockingExecutor.isCurrent }
        let store = FolderObjectStore(at: folder.bytes, pool: pool)
        (objects, circuit, renewing) = (PacedObjectStore(store, pace: pace), nil, nil)
        location = FolderStoreLocation(path: folder.bytes, mark: StoreFinder.mark)
    }

    /// By way of this one, which need not answer.
    init(
        _ address: StoreAddress, over store: RenewingStore.Store, renewing: RenewingStore? = nil,
        tell: @escaping @Sendable (StoreWait?) -> Void = { _ in }
    ) {
        let circuit = StoreCircuit(clock: SystemClock())
        objects = RetryingObjectStore(
            store, circuit: circuit, clock: SystemClock(), entropy: SystemEntropy(), tell: tell)
        (self.address, location, self.circuit, self.renewing) = (address, store, circuit, renewing)
    }

    /// The store of a drive, with what the drive keeps for it.
    init?(
        _ settings: DriveSettings, of drive: FolderPath, pace: TransferPace? = nil,
        tell: @escaping @Sendable (StoreWait?) -> Void = { _ in }
    ) throws(DriveError) {
        guard let address = settings.store else { return nil }
        let settled = SettledStore(settings, of: drive)
        let limit = settings.bandwidth.map { BandwidthLimit($0).pace }
        let means = Means(
            keeping: { () throws(DriveError) in
                // Whoever has written another address signs in there: that is none of this server's business.
                try settled.check()
                return try CredentialFile.load(from: drive)
            },
            pace: pace ?? limit ?? .unlimited, isKnown: settings.storeID != nil, tell: tell)
        try self.init(address, means)
    }

    /// Somebody asks for it now: the next call is made, with what there is to sign in with by now and however short ago one failed,
    /// and what was damaged is looked at.
    func tryAgain() {
        renewing?.renew()
        circuit?.close()
        flaws.lookAgain()
    }

    /// Those that a drive keeps, as they are used now.
    var credentials: StoreCredentials? { renewing?.credentials }

    /// What there is to sign in with is read again; with something else the store is asked at once.
    func renew() { if renewing?.renew() == true { circuit?.close() } }
}
