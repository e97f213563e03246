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
