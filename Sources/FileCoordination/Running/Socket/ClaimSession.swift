import DriveCore

/// A client at the arbiter: from `coordinate` to the end of the connection, when it loses what it held.
struct ClaimSession {
    let connection: SocketConnection
    let claims: FileClaims
    /// Is told who this is.
    let joined: @Sendable (UInt64) -> Void
    /// News for a client that reads none; then it counts as gone.
    private static let most = 1 << 16

    func run() async {
        let (news, outbox) = AsyncStream<ClaimNews>.makeStream(bufferingPolicy: .bufferingOldest(Self.most))
        let client = claims.join { [connection] in
            if case .dropped = outbox.yield($0) { connection.shut() }
        }
        joined(client)
        outbox.yield(.welcome(client))
        await withDiscardingTaskGroup { group in
            group.addTask { [connection] in
                for await item in news where (try? await connection.send(item)) != true { break }
                connection.shut()
            }
            for await call in connection.messages(ClaimCall.self) { claims.hear(call, from: client) }
            claims.leave(client)
            outbox.finish()
            connection.shut()
        }
    }
}
