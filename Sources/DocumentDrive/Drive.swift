public import DriveCore
import DriveFiles
import DriveIndex
public import DriveTransport
public import FileCoordination
import Synchronization

/// A folder that is kept in step with the other devices of a store.
///
/// Whoever has one is the drive's only writer, in this process and on this machine, until it is closed, or the value and its
/// engine are gone.
///
///     let drive = try Drive.open(FolderPath("/home/ada/Documents"))
///     let summary = try await drive.sync()
///     await drive.close()
public final class Drive: Sendable {
    public let folder: FolderPath
    /// Names the drive's socket and its marker.
    public let replica: String
    public let settings: DriveSettings
    /// Runs everything that touches the drive, one thing at a time.
    public let engine: SyncEngine
    /// For whoever uses files of the drive beside syncing.
    public let coordination: DriveCoordination
    let confirmation: StoreConfirmation
    let settledStore: SettledStore
    private let settling: StoreSettling
    let ignoring: IgnoreKeeper
    let patience: WriterPatience
    let reserveUse: ReserveUse
    let conflictHandler: ConflictHandler?
    let unsent: UnsentContents
    let access: StoreAccess?
    /// Told of each act that was done, before whoever asked for it.
    let whenActed = Mutex<(@Sendable (DriveAct) async -> Void)?>(nil)

    private init(
        _ folder: FolderPath, _ replica: String, _ settings: DriveSettings, _ engine: SyncEngine, _ wiring: Wiring,
        _ coordination: DriveCoordination, _ conflictHandler: ConflictHandler?
    ) {
        self.conflictHandler = conflictHandler
        self.folder = folder
        self.replica = replica
        self.settings = settings
        settledStore = SettledStore(settings, of: folder)
        settling = StoreSettling(folder)
        (ignoring, confirmation, patience) = (wiring.ignoring, wiring.confirmation, wiring.patience)
        (unsent, access, reserveUse) = (wiring.unsent, wiring.access, wiring.reserveUse)
        self.coordination = coordination
        self.engine = engine
    }

    /// The nearest drive from a folder upward, as git finds a repository. Folders that may not be looked into are passed
    /// over; a disk that reports an error says nothing about what is on it, and is told. Throws `needsDecision` where it is a
    /// drive of another user that nobody has allowed: anybody can make one of a folder that many share, as /tmp.
    public static func find(from folder: FolderPath) throws(DriveError) -> FolderPath? {
        guard let found = try nearest(from: folder) else { return nil }
        try DriveOwner(drive: found.place).check(from: folder)
        if found.isLost { throw LostMarker(folder: found.place).error }
        return found.place
    }

    /// Where `find` refuses a drive since it is another user's: that error.
    public static func refused(from folder: FolderPath) -> DriveError? {
        guard let found = try? nearest(from: folder) else { return nil }
        return DriveOwner(drive: found.place).refusal(from: folder)
    }

    private static func nearest(
        from folder: FolderPath
    ) throws(DriveError) -> (place: FolderPath, isLost: Bool)? {
        for place in folder.ancestry where place.exists {
            do throws(DriveError) {
                if try DiskFileStore.replica(at: place.bytes) != nil { return (place, false) }
                if try LostMarker(folder: place).isLost { return (place, true) }
            } catch  where error.remedy == .skip && error.kind != .inputOutput { continue }
        }
        return nil
    }

    /// Where `find` finds none: the error of the first folder from there upward that may be one, and may not be looked into.
    public static func closed(from folder: FolderPath) -> DriveError? {
        let start = folder.nearest
        for place in start.ancestry {
            do throws(DriveError) { _ = try replica(of: place) } catch {
                guard error.kind == .permissionDenied else { continue }
                // Through many folders above somebody may go, and list nothing.
                if place == start || place.appending(DriveLayout.state).exists {
                    return DriveOwner(drive: place).closed ?? error
                }
            }
        }
        return nil
    }

    /// The id in the folder's marker; nil where it is no drive.
    public static func replica(of folder: FolderPath) throws(DriveError) -> String? {
        try DiskFileStore.replica(at: folder.bytes)
    }

    /// The id of the drive that this very folder is; nil where it is none now, as the folder of a disk that is not mounted, or
    /// that reports errors. Throws where it is one and somebody must set something right first.
    public static func present(at folder: FolderPath) throws(DriveError) -> String? {
        guard folder.exists else { return nil }
        do throws(DriveError) {
            if let replica = try replica(of: folder) { return replica }
            let marker = LostMarker(folder: folder)
            if try marker.isLost { throw marker.error }
        } catch {
            if error.kind != .inputOutput { throw error }
        }
        return nil
    }

    /// Before something reads or writes by the folder's path: throws `identityChanged` where that is not this drive any more.
    func checkPlace() throws(DriveError) {
        let present = try Self.present(at: folder)
        guard present != replica else { return }
        throw DriveError(
            .identityChanged,
            present == nil
                ? "the drive's folder is not there; mount its disk or bring it back"
                : "another folder took the place of the drive; bring the first one back, or start again",
            path: folder.description)
    }

    /// Opens a drive for work. Throws `temporary` where another process works on it, or this one has it open. Where this process
    /// is only looking at it, for a barrier, whatever is asked of the drive first waits until that is done.
    ///
    /// With `waitsForWriters`, a file that a program has open for writing is left alone, up to a minute. `report` is told
    /// what happens, on the engine's thread; `conflictHandler` is asked about new conflicts. `bandwidth` holds in place of
    /// what the settings say.
    public static func open(
        _ folder: FolderPath, waitsForWriters: Bool = false, bandwidth: BandwidthRates? = nil,
        report: @escaping @Sendable (EngineEvent) -> Void = { _ in }, conflictHandler: ConflictHandler? = nil
    ) throws(DriveError) -> Drive {
        var changes = WiringChanges()
        changes.pace = bandwidth.map { BandwidthLimit($0).pace }
        return try open(
            folder, waitsForWriters: waitsForWriters, changes: changes, report: report,
            conflictHandler: conflictHandler)
    }

    static func open(
        _ folder: FolderPath, waitsForWriters: Bool, changes: WiringChanges, for look: DriveLook? = nil,
        report: @escaping @Sendable (EngineEvent) -> Void = { _ in }, conflictHandler: ConflictHandler? = nil
    ) throws(DriveError) -> Drive {
        let replica = try replicaToOpen(folder)
        let hold = look == nil ? try OpenDrives.hold(folder) : nil
        let settings = try DriveSettings.load(from: folder)
        let coordination = DriveCoordination.shared(folder, replica)
        let wiring = try Wiring(
            folder: folder, replica: replica, settings: settings, claims: coordination.claims,
            waitsForWriters: waitsForWriters, changes: changes, report: report)
        let closed = DriveError(.usage, "this drive has been closed; open it again", path: folder.description)
        // The engine has the lock: whoever keeps it longer than the drive keeps others away.
        let engine = SyncEngine(holding: hold, isHeldUp: hold?.isHeldUp ?? false, closed: closed) {
            try wiring.engine()
        }
        hold?.hand(to: engine)
        let drive = Drive(folder, replica, settings, engine, wiring, coordination, conflictHandler)
        OpenDrives.add(drive, isLook: look != nil)
        return drive
    }

    static func replicaToOpen(_ folder: FolderPath) throws(DriveError) -> String {
        try folder.checkIsFolder()
        if let replica = try replica(of: folder) { return replica }
        throw DriveError(
            .usage, "this folder is no drive; make it one with `docdrive sync --to URL`", path: folder.description)
    }

    /// Lets the drive go, for this process and others: when it returns, what was under way has ended, and the lock, the index and
    /// the connections to the store are given up. Whoever waits for the drive, and whoever calls it from then on, gets `usage`.
    ///
    /// Once or more. What runs is not broken off: cancel its task before, where that takes too long. Not from inside
    /// `SyncEngine.use` or a conflict handler: it would wait for its own end. A `WatchedDrive` has a `close` of its own.
    public func close() async {
        OpenDrives.remove(self)
        await engine.close()
        coordination.claims.endPreparing()
    }

    var isOpen: Bool { (try? engine.requireOpen()) != nil }

    /// Makes sure that the recorded store is there and can be read. Nothing to do for a drive without one. Throws
    /// `identityChanged` where the settings name another store by now: open the drive again; `usage` once it was closed.
    public func checkStore() async throws {
        try engine.requireOpen()
        access?.tryAgain()
        try await tellingCancellation { try await findStore() }
    }

    /// Before a pass that goes on by itself: a folder is looked at each time, which costs next to nothing, a server once a minute
    /// and after every trouble. Before something is put there, it is looked at in each pass.
    func confirmStore() async throws {
        confirmation.passBegins()
        try settledStore.check()
        if settings.store?.folder != nil || confirmation.isDue { try await findStore() }
    }

    private func findStore() async throws {
        try settledStore.check()
        guard let access, let id = settings.storeID.flatMap({ StoreID($0) }) else { return }
        access.renew()
        if try await settling.takeOver(from: id, access) { try settledStore.check() }
        _ = try await StoreFinder(access).find(id)
        confirmation.confirmed()
    }

    /// One whole pass: scan, commit, fetch, merge, apply, again until both sides agree.
    ///
    /// Where nothing is known of the folder yet (a first join, a lost index) the store is read first, so that equal files
    /// on both sides become one.
    ///
    /// A pause holds only what goes on by itself: this works, and the drive stays paused.
    ///
    /// Throws `unreachable` where the store is not there. What was changed in the folder is recorded all the same, also where the
    /// store takes nothing, and sent by the next pass that can; its bytes take room in the drive's own folder until then.
    public func sync() async throws -> SyncSummary {
        try await tellingCancellation { try await syncOnce() }
    }

    private func syncOnce() async throws -> SyncSummary {
        do { try await checkStore() } catch {
            if IndexFile(drive: folder).exists {
                try? await engine.use { engine in
                    await self.recordWithoutStore(engine, after: error)
                    engine.note(error)
                }
            }
            throw error
        }
        return try await engine.use { engine in
            let start = ContinuousClock.now
            let summary = try await engine.noting {
                try await self.recording(engine) { try await self.syncAsking(engine) }
            }
            // Without it searches are slower, which is no reason to say that this failed.
            try? engine.indexNames(after: .now - start)
            return summary
        }
    }

    /// With the passes that follow what the conflict handler answers.
    func syncAsking(_ engine: DriveEngine) async throws -> SyncSummary {
        var summary = try await engine.syncWithJoin(ignoring)
        // Once for each copy of one file, and not for ever where somebody saves it all the time.
        for _ in 0..<16 {
            guard try await engine.handleConflicts(conflictHandler, in: folder) else { break }
            summary = try await engine.syncWithJoin(ignoring)
        }
        return summary
    }
}

/// Whoever is cancelled is told that, and not what came of it on the way.
func tellingCancellation<Result>(_ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch {
        try Task.checkCancellation()
        throw error
    }
}

extension DriveEngine {
    /// True where the handler has ended some.
    func handleConflicts(_ handler: ConflictHandler?, in folder: FolderPath) async throws -> Bool {
        guard let handler else { return false }
        return try await ConflictHandling(parts: parts, folder: folder, handler: handler).run()
    }

    func syncWithJoin(_ ignoring: IgnoreKeeper) async throws -> SyncSummary {
        let isFirst = try parts.state.isBlank
        if try isBeforeJoin { try await joinFirst() }
        try await ignoring.refresh(self)
        let outcome = try await sync()
        ignoring.keep(in: parts.state)
        try expire()
        return try SyncSummary(outcome, parts.state, isFirst: isFirst)
    }
}

extension DriveEngine {
    /// What was replaced or removed longer ago than it is kept goes for good.
    func expire() throws {
        if try TrashSalvage(files: parts.files, state: parts.state).runIfDue() { parts.rereadCopies() }
        try TrashActs(parts).expire()
        let now = try parts.state.lookAtClock(parts.clock.milliseconds())
        guard now > PastVersion.kept else { return }
        // What a conflict that stands comes from is still needed.
        let kept = Set(try parts.state.conflictRecords().compactMap(\.ancestor))
        try parts.state.removePastVersions(before: now - PastVersion.kept, but: kept)
    }
}

extension DriveState {
    /// Nothing is known of the folder.
    var isBlank: Bool { get throws { try rowCount() == 0 && token().entries.isEmpty && numbers().last == 0 } }
}
