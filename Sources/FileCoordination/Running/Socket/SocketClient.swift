import DriveCore
import Synchronization

/// A command's end of the socket. Each call has a connection to itself while it lasts, so that calls neither wait for one
/// another nor take one another's answers, and one that is cancelled leaves none behind.
public final class SocketClient: Sendable {
    private let place: SocketPlace
    /// What showed that somebody answers; for the first call.
    private let first: Mutex<SocketConnection?>
    /// Who listens; nil where it is of another container.
    public let process: Int32?

    /// Nil where nobody listens, or who does takes nobody up for seconds.
    public init?(_ place: SocketPlace) {
        guard let number = place.connect(soon: true) else { return nil }
        self.place = place
        process = UnixSocket.peer(of: number)
        first = Mutex(SocketConnection(number))
    }

    /// Sends a request and waits for its answer. Throws what the other side reports, `temporary` if it went away, and
    /// `CancellationError` as soon as the task is cancelled; what was asked for may be done all the same.
    public func ask(_ request: DriveRequest) async throws -> DriveReply {
        try await ask(request) { $0 }
    }

    /// As `ask`, with each reply until `body` has a result.
    public func ask<Result>(
        _ request: DriveRequest, until body: (DriveReply) async throws -> Result?
    ) async throws -> Result {
        try Task.checkCancellation()
        let connection = try await connection()
        // Nobody would read what still comes on it.
        defer { connection.shut() }
        return try await withTaskCancellationHandler {
            do {
                try await connection.send(request)
                while true {
                    if let result = try await body(next(on: connection)) { return result }
                }
            } catch {
                try Task.checkCancellation()
                throw error
            }
        } onCancel: {
            connection.shut()
        }
    }

    /// Nil where no answer came in time; nobody waits for it any more then.
    package static func answer<Answer: Sendable>(
        within patience: Duration, _ ask: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer? {
        try await withThrowingTaskGroup(of: Answer?.self) { group in
            // Both end with the group, and share nothing.
            group.addTask { try await ask() }
            group.addTask {
                // No clock can tell the end of the longest durations.
                try await Task.sleep(for: min(patience, .seconds(1 << 32)))
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private func connection() async throws -> SocketConnection {
        let first = first.withLock { first in
            defer { first = nil }
            return first
        }
        if let first { return first }
        // Blocks while many others come.
        guard let number = await SocketConnection.blocking({ [place] in place.connect() }) else {
            throw loss(Self.unasked)
        }
        return SocketConnection(number)
    }

    private func next(on connection: SocketConnection) async throws -> DriveReply {
        guard let reply = try await connection.receive(DriveReply.self) else { throw loss(Self.unanswered) }
        if let error = reply.error { throw error.error }
        return reply
    }

    private func loss(_ what: String) -> DriveError {
        let who = process.map { "process \($0), which watched the drive," } ?? "the process that watched the drive"
        return DriveError(.temporary, "\(who) \(what)", path: place.drive)
    }

    private static let unasked = "has ended, and nothing was asked of it; try again"
    private static let unanswered =
        "ended before it answered; what was asked may be done all the same: `docdrive status` tells how the drive stands, "
        + "then try again"

    /// Whether the error says that who listened has ended, or is about to.
    package static func isLoss(_ error: DriveError) -> Bool {
        error.kind == .temporary && [unasked, unanswered].contains { error.message.hasSuffix($0) }
    }
}
