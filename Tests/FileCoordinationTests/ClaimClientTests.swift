import Synchronization
import Testing

@testable import DriveCore
@testable import FileCoordination

/// What a client holds when its arbiter ends.
struct ClaimClientTests {
    /// Were it adopted after its end, nobody would ever get it.
    @Test func whatIsReleasedWhileTheArbiterEndsIsFree() async throws {
        for _ in 0..<2_000 {
            let claims = FileClaims()
            let heir = ClaimClient.local(claims)
            let client = ClaimClient()
            client.begin(7) { _ in }
            let (id, intents) = (client.newID(), [FileIntent.writing("Letter")])
            let granted = Task { try await client.claim(id, ClaimRequest(purpose: "test", intents: intents)) }
            while !client.isWaiting(id) { await Task.yield() }
            client.hear(.granted(id, intents))
            _ = try await granted.value
            let release = Task.detached { client.release(id, AccessReport()) }
            let end = Task.detached { client.end(heir: heir, claims) }
            _ = await (release.value, end.value)
            try #require(!claims.isInUse)
        }
    }
}

/// Who is told something goes on in whatever thread that happens, and may be cancelled in another one.
struct ToldClientTests {
    @Test func whoIsToldMayAnswer() async throws {
        let claims = FileClaims()
        let (told, tells) = AsyncStream<ClaimNews>.makeStream()
        let client = claims.join { [weak claims] news in
            guard let claims else { return }
            tells.yield(news)
            if case .granted(let id, _) = news {
                #expect(claims.isInUse)
                claims.hear(.release(id, AccessReport()), from: id.client)
                if id.number == 1 {
                    let next = ClaimID(client: id.client, number: 2)
                    claims.hear(.claim(next, ClaimRequest(purpose: "x", intents: [.writing("File")])), from: id.client)
                }
            }
        }
        let ids = (1...2).map { ClaimID(client: client, number: $0) }
        claims.hear(.claim(ids[0], ClaimRequest(purpose: "x", intents: [.writing("File")])), from: client)
        tells.finish()
        var all: [ClaimNews] = []
        for await news in told { all.append(news) }
        #expect(all == ids.map { .granted($0, [.writing("File")]) })
        #expect(!claims.isInUse)
    }

    /// A task that is cancelled is locked meanwhile, and so is one that goes on.
    @Test(.timeLimit(.minutes(20))) func whoIsCancelledKeepsNobody() async throws {
        let way = DriveCoordination(root: [0x2F], claims: FileClaims())
        for _ in 0..<3_000 {
            let tasks = (0..<4).map { _ in
                Task { try? await way.coordinator().coordinate(writing: "File") { _ in await Task.yield() } }
            }
            tasks[2].cancel()
            for task in tasks { await task.value }
        }
        #expect(!way.claims.isInUse)
    }
}
