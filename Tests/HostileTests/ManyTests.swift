import DriveCore
import Foundation
import Testing

/// How many times as much the large hostile stores hold; `HOSTILE_SCALE=500` makes a million entries and chains of more than
/// 100,000 folders, which takes minutes.
let hostileScale = max(1, ProcessInfo.processInfo.environment["HOSTILE_SCALE"].flatMap { Int($0) } ?? 1)

/// SE11: more than anybody needs.
@Suite struct ManyTests {
    @Test func aJournalOfManyRecordsIsJoined() async throws {
        let world = try World()
        var evil = world.hostile()
        let count = 2_000 * hostileScale
        try await evil.publish((0..<count).map { evil.item(FileName("f\($0)"), .folder) })
        let victim = try world.device("victim", checksView: false)
        try victim.write("mine", "1")
        #expect(try await victim.engine.fetch() == 1)
        #expect(try victim.index.allItems().count == count)
        #expect(victim.text("mine") == "1")
    }
}
