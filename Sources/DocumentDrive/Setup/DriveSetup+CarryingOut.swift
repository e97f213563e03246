import DriveCore
import DriveFiles
import DriveTransport

extension DriveSetup {
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
        _ = try standing()
        let turn = try SetupLock(at: folder.bytes)
        defer { withExtendedLifetime(turn) {} }
        // Somebody may have been faster.
        let isNew = try standing() == .new
        // Before a store is made: whoever is refused leaves none behind.
        var lock = isNew ? nil : try takeLock()
        if isNew { try DiskFileStore.checkCreating(at: folder.bytes) }
        let old = OldIndex(file: IndexFile(drive: folder))
        if !isNew { try old.open() }
        let way = try await connect()
        if isNew {
            let replica = entropy.nonce(16) + entropy.nonce(16)
            _ = try DiskFileStore.create(at: folder.bytes, replica: replica)
            lock = try takeLock()
        }
        defer { withExtendedLifetime(lock) {} }
        var settings = isNew ? DriveSettings() : try DriveSettings.load(from: folder)
        settings.store = store?.resolved
        settings.storeID = way.store?.description
        if let deviceName { settings.deviceName = deviceName }
        return try await install(settings, way, old, isNew: isNew, entropy)
    }

    private func takeLock() throws(DriveError) -> DriveLock {
        guard case .taken(let lock) = try DriveLock.take(at: folder.bytes) else { throw DriveError.driveInUse(folder) }
        return lock
    }

    /// The store that the drive is to have, and whether others have published to it.
    private struct Way {
        var store: StoreID?
        var objects: (any ObjectStore)?
        var joins = false
        /// Somebody else may be making one at this moment.
        var isFresh = false
    }

    /// Finds the store, or makes it.
    private func connect() async throws -> Way {
        var way = Way()
        guard let store else { return way }
        let access = try access(store)
        let finder = StoreFinder(access)
        let found = try await finder.look(named: storeID)
        var info = if let found { found } else { try await finder.create() }
        // A store that nobody has published to may be what an interrupted set-up made.
        if let found { way.joins = try await !Store.devices(of: found, in: access.objects).isEmpty }
        way.isFresh = !way.joins && storeID == nil
        if found != nil, way.isFresh { info = try await finder.settled(info) }
        (way.store, way.objects) = (info.id, access.objects)
        return way
    }

    private func install(
        _ settings: DriveSettings, _ way: Way, _ old: OldIndex, isNew: Bool, _ entropy: SystemEntropy
    ) async throws -> Farewell {
        let index = old.file
        // Who joins gets the rules of the others. Without an index, it was interrupted before.
        if isNew || !index.exists, !way.joins, !folder.appending(IgnoreRules.fileName).exists,
            let replica = try DiskFileStore.replica(at: folder.bytes)
        {
            try DefaultRules.place(in: DiskFileStore.open(at: folder.bytes, replica: replica), entropy: entropy)
        }
        // Rows that were kept without a store have no records: the join begins from nothing.
        let trash = isNew ? [] : try knownTrash(old)
        let rescued = isNew ? UnsentRescue.Outcome() : try await rescueUnsent(old, way)
        try old.goAway()
        if let credentials { try CredentialFile.save(credentials, in: folder) }
        // Once these are there, it counts as carried out.
        try settings.save(to: folder)
        let (state, _) = try index.open(
            label: settings.deviceName, hasStore: settings.storeID != nil, entropy: entropy)
        if way.isFresh { try StoreSettling.begin(in: state) }
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
        return Farewell(trashed: rescued.entries.count, left: rescued.left)
    }

    /// What an index that cannot be read any more would tell of is left where it is; `docdrive doctor` names it.
    private func rescueUnsent(_ old: OldIndex, _ way: Way) async throws -> UnsentRescue.Outcome {
        guard let replica = try DiskFileStore.replica(at: folder.bytes), let known = old.index else {
            return UnsentRescue.Outcome()
        }
        let files = try DiskFileStore.open(at: folder.bytes, replica: replica)
        do {
            return try await UnsentRescue(
                drive: folder, files: files, index: known, next: way.store, objects: way.objects
            ).run()
        } catch let error as DriveError where error.kind == .corrupt {
            old.isDamaged = true
            return UnsentRescue.Outcome()
        }
    }

    /// What the index has of the trash, hashed as a drive with a store does: before anything is changed, since it may be much
    /// to read.
    private func knownTrash(_ old: OldIndex) throws -> [TrashEntry] {
        guard let replica = try DiskFileStore.replica(at: folder.bytes) else { return [] }
        return TrashSalvage.renewed(try old.trash(), try DiskFileStore.open(at: folder.bytes, replica: replica))
    }
}
