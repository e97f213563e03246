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
    public func mendMarker() throws(DriveError) -> Bool { try LostMarker(folder: folder).mend(SystemEntropy()) }

    private func access(_ store: StoreAddress) throws(DriveError) -> StoreAccess {
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
    private static func checkLength(_ folder: FolderPath) throws(DriveError) {
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

    /// Does it, after `look` or `check`. The first `sync` then brings both sides together. Tells of the versions that an
    /// earlier store never got; throws `noSpace` where there is no room for them in the trash, and leaves all as it was.
    @discardableResult
    public func carryOut() async throws -> Farewell {
        try await tellingCancellation { try await carryOutOnce() }
    }

    /// What became of the versions that an earlier store never got.
    public struct Farewell: Hashable, Sendable {
        /// How many came into the trash.
        public var trashed = 0
        /// How many could not be read whole; what there is of them stays in the drive's own folder.
        public var left = 0
    }

    private func carryOutOnce() async throws -> Farewell {
        let entropy = SystemEntropy()
        if let deviceName { try DriveSettings.check(deviceName: deviceName) }
        try Self.checkLength(folder)
        var settings = DriveSettings()
        var joins = false
        var objects: (any ObjectStore)?
        if let store {
            let access = try access(store)
            objects = access.objects
            let finder = StoreFinder(access)
            let found = try await finder.look(named: storeID)
            var info = if let found { found } else { try await finder.create() }
            // A store that nobody has published to may be what an interrupted set-up made.
            if let found { joins = try await !Store.devices(of: found, in: access.objects).isEmpty }
            if found != nil, !joins, storeID == nil { info = try await finder.settled(info) }
            settings.store = store.resolved
            settings.storeID = info.id.description
        }
        let isNew = try standing() == .new
        if isNew {
            let replica = entropy.nonce(16) + entropy.nonce(16)
            _ = try DiskFileStore.create(at: folder.bytes, replica: replica)
        }
        guard case .taken(let lock) = try DriveLock.take(at: folder.bytes) else { throw DriveError.driveInUse(folder) }
        if !isNew {
            var known = try DriveSettings.load(from: folder)
            (known.store, known.storeID) = (settings.store, settings.storeID)
            settings = known
        }
        if let deviceName { settings.deviceName = deviceName }
        let index = IndexFile(drive: folder)
        // Who joins gets the rules of the others. Without an index, it was interrupted before.
        if isNew || !index.exists, !joins, !folder.appending(IgnoreRules.fileName).exists,
            let replica = try DiskFileStore.replica(at: folder.bytes)
        {
            try DefaultRules.place(in: DiskFileStore.open(at: folder.bytes, replica: replica), entropy: entropy)
        }
        // Rows that were kept without a store have no records: the join begins from nothing.
        let trash = isNew ? [] : try knownTrash(index)
        let rescued = isNew ? UnsentRescue.Outcome() : try await rescueUnsent(index, settings.storeID, objects)
        try index.discard()
        if let credentials { try CredentialFile.save(credentials, in: folder) }
        // Once these are there, it counts as carried out.
        try settings.save(to: folder)
        let (state, _) = try index.open(
            label: settings.deviceName, hasStore: settings.storeID != nil, entropy: entropy)
        if !isNew, let replica = try DiskFileStore.replica(at: folder.bytes) {
            let files = try DiskFileStore.open(at: folder, replica: replica, index: state)
            try state.transaction {
                try TrashSalvage(files: files, state: state).run(trash + rescued.entries)
                if let event = rescued.event { try state.log(event) }
                // Also what waits for the store that it joins anew: no record names it any more.
                try UnsentContents.setSpent(rescued.spent, state)
            }
            try UnsentContents.removeSpent(in: folder, state)
        }
        withExtendedLifetime(lock) {}
        return Farewell(trashed: rescued.entries.count, left: rescued.left)
    }

    /// What an index that cannot be read any more would tell of is left where it is; `docdrive doctor` names it.
    private func rescueUnsent(
        _ index: IndexFile, _ next: String?, _ objects: (any ObjectStore)?
    ) async throws -> UnsentRescue.Outcome {
        guard let replica = try DiskFileStore.replica(at: folder.bytes), let known = try? index.openForReading() else {
            return UnsentRescue.Outcome()
        }
        let files = try DiskFileStore.open(at: folder.bytes, replica: replica)
        do {
            return try await UnsentRescue(
                drive: folder, files: files, index: known, next: next.flatMap { StoreID($0) }, objects: objects
            ).run()
        } catch let error as DriveError where error.kind == .corrupt { return UnsentRescue.Outcome() }
    }

    /// What the index has of the trash, hashed as a drive with a store does: before anything is changed, since it may be much
    /// to read.
    private func knownTrash(_ index: IndexFile) throws -> [TrashEntry] {
        guard let replica = try DiskFileStore.replica(at: folder.bytes) else { return [] }
        let known = (try? index.openForReading().trash()) ?? []
        return TrashSalvage.renewed(known, try DiskFileStore.open(at: folder.bytes, replica: replica))
    }
}

extension DriveError {
    static func driveInUse(_ folder: FolderPath, by process: Int32? = nil) -> DriveError {
        if process == getpid() {
            return DriveError(
                .temporary, "this process has the drive open already; use that `Drive`, or close it first",
                path: folder.description)
        }
        let who = process.map { "process \($0)" } ?? "another process"
        return DriveError(
            .temporary, "\(who) is working on this drive; wait until it is done, or stop it",
            path: folder.description)
    }
}
