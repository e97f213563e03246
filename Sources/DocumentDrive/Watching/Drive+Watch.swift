import DriveCore
import DriveFiles
public import DriveTransport
public import FileCoordination
import Glibc
import Synchronization

/// A drive that is being kept in step. Needs the program `docdrive-watch` beside the running one, in `../libexec` of it, or
/// where `$DOCDRIVE_WATCH` says, and to read documents for searches `docdrive-import` likewise (`$DOCDRIVE_IMPORT`).
public final class WatchedDrive: Sendable {
    public let drive: Drive
    public let board = StatusBoard()
    private let loop: WatchLoop
    private let announcements: Announcements
    private let pass: DrivePass
    private let documents: DocumentFeed
    private struct Course {
        var hasBegun = false
        var isClosed = false
        /// Whoever waits for the end of the run; nil where none is under way.
        var onlookers: [CheckedContinuation<Void, Never>]?

        mutating func begin() -> Bool {
            if hasBegun || isClosed { return false }
            (hasBegun, onlookers) = (true, [])
            return true
        }
    }

    private let course = Mutex(Course())

    /// `announce` is told what happens, and why nothing does.
    public init(
        _ folder: FolderPath, bandwidth: BandwidthRates? = nil,
        announce: @escaping @Sendable (Announcement) -> Void, conflictHandler: ConflictHandler? = nil
    ) throws {
        let announcements = Announcements(first: announce)
        let board = board
        self.announcements = announcements
        drive = try Drive.open(
            folder, waitsForWriters: true, bandwidth: bandwidth,
            report: { event in
                switch event {
                case .phase(let phase): board.update { $0.phase = phase.rawValue }
                case .storeWaits(let wait):
                    let isNews = board.update { $0.note(wait, now: SystemClock().milliseconds()) }
                    if isNews, let wait { announcements.tell(.waiting(wait.error)) }
                case .troubleUnnoted(let trouble): board.update { $0.unnotedTrouble = trouble }
                case .progress, .passedOver: break
                case .happened(let event): announcements.tell(.event(event))
                }
            }, conflictHandler: conflictHandler)
        documents = DocumentFeed(drive, board)
        pass = DrivePass(drive: drive, announcements: announcements, documents: documents)
        let kind = MountTable.current.kind(of: drive.folder.resolved)
        var pace = Self.pace(on: kind)
        // Nobody is there to be asked.
        if drive.settings.store == nil { (pace.activePoll, pace.idlePoll) = (pace.rescan, pace.rescan) }
        loop = WatchLoop(drive.engine, pass: pass, board: board, clock: SystemClock(), pace: pace)
    }

    /// Where not all changes are announced, everything is looked at as often as where folders cannot be watched.
    static func pace(on kind: String?) -> WatchPace {
        var pace = WatchPace()
        if let kind, MountTable.isRemote(kind) { pace.rescan = pace.blindRescan }
        return pace
    }

    /// Returns when stopped by a request; throws `CancellationError` when cancelled, and what no later try can mend. Calls
    /// `ready` once the folder is watched and others can ask for things.
    ///
    /// Once for each value, unless it could not begin, and not after `close`; else throws `usage`. To watch again, let the value go and make another.
    public func run(ready: @Sendable () -> Void = {}) async throws {
        guard course.withLock({ $0.begin() }) else {
            throw DriveError(
                .usage,
                "this WatchedDrive runs already, or did, or was closed: let it go, and make another one to watch the drive again",
                path: drive.folder.description)
        }
        defer { tellOnlookers() }
        let watcher: InotifyWatcher
        let storeHints: StoreHints?
        do {
            (watcher, storeHints) = try await begin()
        } catch {
            course.withLock { $0.hasBegun = false }
            throw error
        }
        let result: Result<Void, any Error>
        do { result = .success(try await keep(watcher, storeHints, ready)) } catch { result = .failure(error) }
        await watcher.stop()
        // What a pass says that was broken off is of no interest.
        try Task.checkCancellation()
        try result.get()
    }

    /// The run ended, or will at its next pass, because a person has written another store into the drive's settings: let this go,
    /// and make another one.
    public var hasOtherStore: Bool { (try? drive.settledStore.isOther) ?? false }

    /// Ends the run, if there is one, and closes the drive: when it returns, the socket, the lock and the index are given up, and
    /// `run` has returned or is about to. A pass under way is waited for, as by `Drive.close`.
    public func close() async {
        // A run that somebody is about to begin would take the socket from who watches the drive next.
        course.withLock { $0.isClosed = true }
        await loop.stop()
        await withCheckedContinuation { continuation in
            let isOver = course.withLock { course in
                course.onlookers?.append(continuation)
                return course.onlookers == nil
            }
            if isOver { continuation.resume() }
        }
        await drive.close()
    }

    private func tellOnlookers() {
        let waiting = course.withLock { course in
            defer { course.onlookers = nil }
            return course.onlookers ?? []
        }
        for continuation in waiting { continuation.resume() }
    }

    private func begin() async throws -> (InotifyWatcher, StoreHints?) {
        let control = drive.folder.appending(DriveLayout.state).appending("watch")
        let storeControl = drive.folder.appending(DriveLayout.state).appending("watch-store")
        for folder in [control, storeControl] {
            let result = folder.withPointer { mkdir($0, 0o700) }
            guard result == 0 || errno == EEXIST else { throw SmallFile.failure("make the folder", folder) }
            if result == 0 { Ownership.give(folder: folder.bytes) }
        }
        board.update { $0.process = getpid() }
        let storeHints = try await storeHints(control: storeControl)
        let watcher = try await InotifyWatcher.start(
            InotifyWatcher.Configuration(
                root: drive.folder.bytes, control: control.bytes, leaveOut: [DriveLayout.state, .lostAndFound]))
        return (watcher, storeHints)
    }

    /// Until it is told to stop, cancelled, or can do no more.
    private func keep(
        _ watcher: InotifyWatcher, _ storeHints: StoreHints?, _ ready: @Sendable () -> Void
    ) async throws {
        let place = SocketPlace(replica: drive.replica, folder: drive.folder.bytes)
        let server = try SocketServer(place, claims: drive.coordination.claims) {
            [loop, announcements, drive, board, documents] in
            await RequestHandler(
                loop: loop, announcements: announcements, drive: drive, board: board, documents: documents
            ).handle($0, $1)
        }
        // Weak, and only while it runs: the claims belong to the drive, and the loop has the drive.
        drive.coordination.claims.setWhenFreed { [weak loop] freed in
            // Nobody waits for it, and nothing depends on when it is done.
            Task {
                if freed.concernsApply { await loop?.lookAgain() } else { await loop?.lookAgain(at: freed.unread) }
            }
        }
        // A pass follows what somebody decided, by the socket or by the drive itself.
        drive.whenActed.withLock {
            $0 = { [weak loop, access = drive.access] act in
                await loop?.lookAgain()
                guard act == .resume else { return }
                access?.tryAgain()
                await loop?.tryAgain()
            }
        }
        defer {
            drive.coordination.claims.setWhenFreed(nil)
            drive.whenActed.withLock { $0 = nil }
        }
        let (hints, hinter) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // The next look finds out that the drive is not there, or what was covered in it, which no event tells.
        let root = drive.folder.resolved
        let mounts = MountBell(at: drive.folder.bytes, beneath: { MountTable.current.places(in: root) }) {
            [weak loop] in
            // Nobody waits for it. What failed for another reason meanwhile is not put off.
            Task {
                await loop?.lookAgain()
                await loop?.tryAgain()
            }
        }
        defer { withExtendedLifetime(mounts) {} }
        ready()
        let result: Result<Void, any Error> = await withTaskGroup(of: Result<Void, any Error>?.self) { group in
            group.addTask { [loop] in
                do { return .success(try await loop.run(watcher, hints: hints)) } catch { return .failure(error) }
            }
            group.addTask {
                await server.run()
                return nil
            }
            group.addTask { [loop] in
                // A watch that rests is not woken for it.
                while await loop.passEnded(after: loop.passCount) { try? server.stayReachable() }
                return nil
            }
            group.addTask { [drive] in
                await Scrubber(drive).run()
                return nil
            }
            group.addTask { [documents] in
                await documents.run()
                return nil
            }
            if let storeHints {
                group.addTask {
                    await storeHints.run(hinter)
                    return nil
                }
            }
            var ended: Result<Void, any Error> = .success(())
            while let next = await group.next() {
                guard let next else { continue }
                ended = next
                break
            }
            announcements.finish()
            group.cancelAll()
            return ended
        }
        try result.get()
    }

    private func storeHints(control: FolderPath) async throws -> StoreHints? {
        // Others are asked now and then.
        guard let folder = drive.settings.store?.folder, let id = drive.settings.storeID else { return nil }
        let own = try await drive.engine.use { try $0.parts.state.numbers().device }
        let heads = [StoreFinder.mark, FileName(id), "head"].reduce(folder) { $0.appending($1) }
        // Of what others do to a mounted folder the kernel here knows nothing (inotify(7)).
        let hearsAll = !(MountTable.current.kind(of: folder.resolved).map(MountTable.isRemote) ?? true)
        return StoreHints(heads: heads, control: control, own: own) { [board, loop] isWatching in
            board.update { $0.hasStoreHints = isWatching && hearsAll }
            await loop.tellsOfStore(isWatching && hearsAll)
        }
    }
}
