import DriveCore
public import FileCoordination

/// The way to a drive that another process watches.
public struct DriveClient: Sendable {
    private let client: SocketClient

    /// Nil where nobody watches the drive.
    public init?(_ folder: FolderPath) throws {
        guard let replica = try Drive.replica(of: folder),
            let client = SocketClient(SocketPlace(replica: replica, folder: folder.bytes))
        else { return nil }
        self.client = client
    }

    /// A whole pass; returns when it is done.
    public func sync() async throws -> SyncSummary {
        guard let summary = try await client.ask(DriveRequest(.sync)).summary else { throw Self.misunderstood }
        return summary
    }

    public func status() async throws -> RunningStatus {
        guard let status = try await client.ask(DriveRequest(.status)).status else { throw Self.misunderstood }
        return status
    }

    public func stop() async throws { _ = try await client.ask(DriveRequest(.stop)) }

    public func perform(_ act: DriveAct) async throws -> [String] {
        try await client.ask(DriveRequest(.act, act: act)).lines ?? []
    }

    /// Calls back for every event until the watching process ends, which throws.
    public func follow(_ body: (EventReport) async throws -> Void) async throws {
        _ = try await client.ask(DriveRequest(.subscribe))
        while true {
            if let event = try await client.next().event { try await body(event) }
        }
    }

    private static var misunderstood: DriveError {
        DriveError(.temporary, "the process that watches the drive gave no answer; restart it")
    }
}
