import DriveCore
import Glibc
import Synchronization

/// Answers commands while a drive is watched.
public final class SocketServer: Sendable {
    /// Answers one request; may send several replies. Returns when there is nothing more to say.
    public typealias Handler =
        @Sendable (_ request: DriveRequest, _ reply: @escaping @Sendable (DriveReply) async -> Bool) async -> Void

    public let path: String
    private let descriptor: Int32
    private let handler: Handler
    private let claims: FileClaims?
    private let open = Mutex<[ObjectIdentifier: SocketConnection]>([:])
    private let coordinating = Mutex<Set<UInt64>>([])

    /// With `claims`, it is the arbiter for whoever asks to coordinate.
    public init(_ place: SocketPlace, claims: FileClaims? = nil, handler: @escaping Handler) throws {
        (descriptor, path) = try place.listen()
        self.handler = handler
        self.claims = claims
        claims?.isServing = true
    }

    deinit { close(descriptor) }

    /// Until the task is cancelled; then every connection ends and the socket is removed.
    public func run() async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    let number = await SocketConnection.blocking { self.accept() }
                    guard let number else { break }
                    group.addTask { await self.serve(SocketConnection(number)) }
                }
            }
        } onCancel: {
            _ = shutdown(descriptor, Int32(SHUT_RDWR))
            // All at once, before any of them hears of it: none may get what another has.
            if let claims { claims.leave(coordinating.withLock { $0 }) }
            open.withLock { for connection in $0.values { connection.shut() } }
        }
        if let claims { claims.leave(coordinating.withLock { $0 }) }
        unlink(path)
        claims?.isServing = false
    }

    private func accept() -> Int32? {
        while true {
            let number = Glibc.accept(descriptor, nil, nil)
            if number >= 0 {
                _ = fcntl(number, F_SETFD, FD_CLOEXEC)
                return number
            }
            if errno != EINTR, errno != ECONNABORTED { return nil }
        }
    }

    private func serve(_ connection: SocketConnection) async {
        open.withLock { $0[ObjectIdentifier(connection)] = connection }
        defer { open.withLock { $0[ObjectIdentifier(connection)] = nil } }
        if Task.isCancelled { return }
        let reply: @Sendable (DriveReply) async -> Bool = { reply in
            // What cannot be encoded cannot be sent; the other side sees the end.
            (try? await connection.send(reply)) ?? false
        }
        while let request = try? await connection.receive(DriveRequest.self) {
            guard request.v == DriveRequest.version else {
                let error = DriveError(.temporary, "the process that watches is of another version; restart it")
                _ = await reply(DriveReply(error: ErrorReport(error)))
                return
            }
            if request.verb == .coordinate, let claims {
                let session = ClaimSession(connection: connection, claims: claims) { client, isHere in
                    self.coordinating.withLock { _ = isHere ? $0.insert(client).memberAfterInsert : $0.remove(client) }
                }
                return await session.run()
            }
            await handler(request, reply)
        }
    }
}
