public import DriveCore
public import FileCoordination

/// The way to a drive that another process watches, for as many tasks as come. A call that is cancelled throws at once; what it
/// has asked for may be done all the same.
public struct DriveClient: Sendable {
    private let client: SocketClient
    private let folder: FolderPath

    /// Nil where nobody watches the drive.
    public init?(_ folder: FolderPath) throws {
        guard let replica = try Drive.replica(of: folder),
            let client = SocketClient(SocketPlace(replica: replica, drive: folder))
        else { return nil }
        self.client = client
        self.folder = folder
    }

    /// The process that watches; nil where it cannot be told.
    public var process: Int32? { client.process }

    /// A whole pass; returns when it is done.
    public func sync() async throws -> SyncSummary {
        guard let summary = try await ask(DriveRequest(.sync)).summary else { throw Self.misunderstood }
        return summary
    }

    private func ask(_ request: DriveRequest) async throws -> DriveReply { try await client.ask(joined(request)) }

    /// As part of the accesses that the running task is a part of, and after those that have ended.
    private func joined(_ request: DriveRequest) async -> DriveRequest {
        // That they have is said on another connection.
        let coordination = DriveCoordination.known(folder)
        await coordination?.settle()
        var request = request
        let purposes = DriveCoordination.purposes
        guard !purposes.isEmpty else { return request }
        request.purposes = purposes
        request.surroundings = coordination?.surroundings
        return request
    }

    /// Waits for the answer as long as that process is stopped (SIGSTOP): cancel the task where that is too long.
    public func status() async throws -> RunningStatus {
        guard let status = try await client.ask(DriveRequest(.status)).status else { throw Self.misunderstood }
        return status
    }

    /// Returns once everything that was changed in the folder before the call is in the index; of a file that a program
    /// still has open for writing, what it was when the program opened it. Throws `temporary` where the drive was paused before its
    /// first sync: nobody has looked at anything then.
    public func barrier() async throws { _ = try await ask(DriveRequest(.barrier)) }

    /// Returns once everything, or what is at these paths, is in step, or waiting does not help; calls back with what it is
    /// waiting for.
    public func wait(for paths: [DrivePath], _ body: (WaitReport) -> Void) async throws -> WaitReport {
        try await client.ask(joined(DriveRequest(.wait, paths: paths.map(\.bytes)))) { reply in
            guard let report = reply.wait else { throw Self.misunderstood }
            body(report)
            return report.isFinal ? report : nil
        }
    }

    /// Has the store asked now, where that failed before and waits for its next try. Returns before it is done.
    public func tryAgain() async throws { _ = try await client.ask(DriveRequest(.retry)) }

    public func stop() async throws { _ = try await client.ask(DriveRequest(.stop)) }

    /// As `Drive.perform`, by the watching process, which waits an hour at most for whoever uses the items.
    public func perform(_ act: DriveAct, patience: Duration? = nil) async throws -> [String] {
        try await ask(act, ActPatience(patience)).lines ?? []
    }

    /// As `Drive.outcomes`, by the watching process.
    public func outcomes(of act: DriveAct, patience: Duration? = nil) async throws -> [ActOutcome] {
        try await outcomes(of: act, ActPatience(patience))
    }

    package func outcomes(of act: DriveAct, _ patience: ActPatience) async throws -> [ActOutcome] {
        guard let outcomes = try await ask(act, patience).outcomes else { throw Self.misunderstood }
        return outcomes
    }

    private func ask(_ act: DriveAct, _ patience: ActPatience) async throws -> DriveReply {
        var request = DriveRequest(.act, act: act)
        request.patience = patience.users?.patience
        request.drivePatience = patience.drive?.patience
        return try await ask(request)
    }

    /// Has the folder looked at and all documents read for searches; says why that cannot be done.
    public func readDocuments(isChecked: Bool = false) async throws -> String? {
        try await ask(DriveRequest(.read, isThorough: isChecked)).lines?.first
    }

    /// Has documents that are not read yet read from now on, and returns at once; says why none can be.
    package func beginReading() async throws -> [String] { try await client.ask(DriveRequest(.feed)).lines ?? [] }

    /// Calls back for every event until the watching process ends, which throws. Whoever is more than 10,000 events behind misses the
    /// oldest of them: `EventReport` is for telling people; what is in the drive tells `MetadataQuery`.
    public func follow(_ body: (EventReport) async throws -> Void) async throws {
        let _: Never = try await client.ask(DriveRequest(.subscribe)) { reply in
            if let event = reply.event { try await body(event) }
            return nil
        }
    }

    private static var misunderstood: DriveError {
        DriveError(.temporary, "the process that watches the drive gave no answer; restart it")
    }

    /// Returns once everything that was changed in the folder before the call is in its index: by the process that watches
    /// the drive, or here, by a look at the whole folder, through the `Drive` that this process has open, if it has one. Before the
    /// first sync that is a whole pass, and throws as `Drive.sync` does. Another process that works on the drive and does not watch
    /// it is waited for; throws `temporary` where that takes more than 30 seconds. A `Drive` that is opened or closed meanwhile, by
    /// this process, is in nobody's way. Not from inside `SyncEngine.use` or a conflict handler: it would wait for its own end.
    public static func barrier(_ folder: FolderPath) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            try Task.checkCancellation()
            if let client = try await DriveClient.answering(folder) { return try await client.barrier() }
            if let drive = OpenDrives.drive(at: folder) {
                // Closed under this call, which is not its business.
                do { return try await drive.look() } catch  where !drive.isOpen { continue }
            }
            if let look = try beginLook(folder, until: deadline) { return try await Drive.look(at: folder, look) }
            // Somebody works on it: a watch that begins answers soon, a sync comes to its end.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Nil where somebody has the drive, who may be done with it in time.
    private static func beginLook(
        _ folder: FolderPath, until deadline: ContinuousClock.Instant
    ) throws(DriveError) -> DriveLook? {
        _ = try Drive.replicaToOpen(folder)
        do throws(DriveError) { return try OpenDrives.beginLook(folder) } catch {
            if error.kind == .temporary, .now < deadline { return nil }
            throw error
        }
    }
}
