import DriveCore
import Glibc

/// The way to the arbiter in the process that watches a drive.
enum ClaimConnection {
    /// Nil where none answers. When the arbiter ends, `heir` takes over what was held, at `claims`, and `ended` is called.
    static func open(
        _ place: SocketPlace, heir: ClaimClient, _ claims: FileClaims, ended: @escaping @Sendable () async -> Void
    ) async -> ClaimClient? {
        // Blocks while many others come.
        guard let number = await SocketConnection.blocking({ place.connect() }) else { return nil }
        let connection = SocketConnection(number)
        guard (try? await connection.send(DriveRequest(.coordinate))) == true else { return nil }
        let news = connection.messages(ClaimNews.self)
        var iterator = news.makeAsyncIterator()
        guard case .welcome(let client)? = await iterator.next() else { return nil }
        let (calls, outbox) = AsyncStream<ClaimCall>.makeStream()
        let result = ClaimClient()
        // One of another container has no number here.
        let arbiter = connection.peer ?? 0
        result.begin(
            client, close: { outbox.finish() }, tellAsking: { [weak claims] in claims?.setAsking($0, arbiter: arbiter) }
        ) { outbox.yield($0) }
        // They end with the connection, which lasts as long as this process or the other.
        Task.detached {
            for await call in calls where (try? await connection.send(call)) != true { break }
            connection.shut()
        }
        Task.detached {
            for await item in news { result.hear(item) }
            outbox.finish()
            connection.shut()
            result.end(heir: heir, claims, arbiter: arbiter)
            await ended()
        }
        return result
    }
}
