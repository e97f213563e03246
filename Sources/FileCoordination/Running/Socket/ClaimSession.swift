import DriveCore

/// A client at the arbiter: from `coordinate` to the end of the connection, when it loses what it held.
struct ClaimSession {
    let connection: SocketConnection
    let claims: FileClaims
    /// Is told who this is, and when nobody is any more.
    let note: @Sendable (_ client: UInt64, _ isHere: Bool) -> Void
    /// News for a client that reads none; then it counts as gone.
    private static let most = 1 << 16

    func run() async {
        let (news, outbox) = AsyncStream<ClaimNews>.makeStream(bufferingPolicy: .bufferingOldest(Self.most))
        let client = claims.join(process: connection.peer) { [connection] in
            if case .dropped = outbox.yield($0) { connection.shut() }
        }
        note(client, true)
        outbox.yield(.welcome(client))
        await withDiscardingTaskGroup { group in
            group.addTask { [connection] in
                for await item in news where (try? await connection.send(item)) != true { break }
                connection.shut()
            }
            for await call in connection.messages(ClaimCall.self) { claims.hear(call, from: client) }
            // Where the arbiter ends, all clients leave together.
            if !Task.isCancelled {
                claims.leave(client)
                note(client, false)
            }
            outbox.finish()
            connection.shut()
        }
    }
}
