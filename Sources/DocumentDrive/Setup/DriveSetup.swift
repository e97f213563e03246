public import DriveCore
import DriveFiles
public import DriveTransport
import Glibc

/// Makes a folder a drive, or connects a drive to its store: look, ask, carry out.
public struct DriveSetup: Sendable {
    public let folder: FolderPath
    public let store: StoreAddress?
    public let deviceName: String?
    /// What a person gave for the store; the drive keeps it. Nil where what their other programs use is to serve.
    public var credentials: StoreCredentials?
    /// Which store, where the place has several; another than this is not taken, and none is made.
    public var storeID: StoreID?
    /// For the look; nil for as fast as it goes.
    public var bandwidth: BandwidthRates?

    public init(folder: FolderPath, store: StoreAddress?, deviceName: String? = nil) {
        self.folder = folder
        self.store = store
        self.deviceName = deviceName
    }

    /// How the folder stands to what is asked for.
    public enum Standing: Hashable, Sendable {
        /// No drive yet.
        case new
        /// A drive without a store, which is to get one.
        case unconnected
        /// Already what is asked for.
        case done
    }

    /// Throws where something else is asked for than what the drive has.
    public func standing() throws(DriveError) -> Standing {
        try Refusals.checkKind(folder)
        try Refusals.checkOwner(folder)
        guard folder.exists, try DiskFileStore.replica(at: folder.bytes) != nil else {
            let marker = LostMarker(folder: folder)
            if try marker.isLost { throw marker.error }
            return .new
        }
        let settings = try DriveSettings.load(from: folder)
        guard let recorded = settings.store else { return store == nil ? .done : .unconnected }
        if let store, !store.isSame(as: recorded) {
            throw DriveError(
                .usage,
                "the drive has another store, \(recorded.text); leave out --to. If that was moved, write its new address as "
                    + "`store` into the drive's .docdrive/config.toml; if it is gone for good, take `store` and "
                    + "`store-id` out there first",
                path: folder.description)
        }
        if let storeID, let own = settings.storeID, own != storeID.description {
            throw DriveError(.usage, "the drive has the store \(own); leave out --store-id", path: folder.description)
        }
        return .done
    }

    /// Makes a folder a drive again that has all of one but its marker; true where that was so. Nothing else is changed.
    public func mendMarker() throws(DriveError) -> Bool {
        try Refusals.checkKind(folder)
        try Refusals.checkOwner(folder)
        return try LostMarker(folder: folder).mend(SystemEntropy())
    }

    func access(_ store: StoreAddress) throws(DriveError) -> StoreAccess {
        var means = StoreAccess.Means(credentials: credentials)
        if credentials == nil { means.credentials = try CredentialFile.load(from: folder) }
        if let bandwidth { means.pace = BandwidthLimit(bandwidth).pace }
        return try StoreAccess(store, means)
    }

    /// Looks at both sides and changes neither. Refuses what must not become a drive.
    public func look() async throws -> FirstLook {
        try await tellingCancellation { try await lookOnce() }
    }

    private func lookOnce() async throws -> FirstLook {
        let census = try census(store == nil ? .count : .items)
        guard let store else { return FirstLook(folder: folder, store: nil, census: census, stored: nil) }
        let access = try access(store)
        defer { HeapMemory.giveBack() }
        let stored: StoreCensus? =
            if let info = try await StoreFinder(access).look(named: storeID) {
                try await StoreCensus.take(info, in: access.objects, entropy: SystemEntropy())
            } else { nil }
        return FirstLook(folder: folder, store: store, census: census, stored: stored)
    }

    /// Refuses what must not become a drive, like `look`, and counts nothing: for who would not look at the numbers. How many
    /// other devices share the store; nil where it is to be made, or there is none.
    public func check() async throws -> Int? {
        try await tellingCancellation { try await checkOnce() }
    }

    private func checkOnce() async throws -> Int? {
        _ = try census(.folders)
        guard let store else { return nil }
        let access = try access(store)
        guard let info = try await StoreFinder(access).look(named: storeID) else { return nil }
        return try await Store.devices(of: info, in: access.objects).filter { !$0.isForgotten }.count
    }

    /// Before anything is made: the indexes lie in the folder, and SQLite opens none with a longer path.
    static func checkLength(_ folder: FolderPath) throws(DriveError) {
        // The longer one of the two.
        let surplus = SearchFile(drive: folder.resolved).path.bytes.count - DriveIndex.longestPath
        guard surplus > 0 else { return }
        throw DriveError(
            .usage, "the folder's path is \(surplus) bytes too long for the index of a drive; use one further up",
            path: folder.description)
    }

    private func census(_ depth: FolderCensus.Depth) throws(DriveError) -> FolderCensus? {
        let refusals = Refusals(folder: folder, store: store)
        try refusals.check()
        guard folder.exists || folder.parent.exists else {
            throw DriveError(
                .usage, "the folder above is missing; make it first, or correct the path", path: folder.description)
        }
        let census = try FolderCensus.take(at: folder.bytes, storeMark: StoreFinder.mark, depth: depth)
        if let census { try refusals.check(census) }
        return census
    }
}

extension DriveError {
    static func driveInUse(_ folder: FolderPath, by process: Int32? = nil) -> DriveError {
        if process == getpid() {
            return DriveError(
                .temporary, "this process has the drive open already; use that `Drive`, or close it first",
                path: folder.description)
        }
        if let foreign = process.flatMap({ ForeignProcess($0) }) {
            return DriveError(.temporary, foreign.words, path: folder.description)
        }
        let who = process.map { "process \($0)" } ?? "another process"
        return DriveError(
            .temporary, "\(who) is working on this drive; wait until it is done, or stop it",
            path: folder.description)
    }
}
