import Foundation
import TestSupport
import Testing

/// Every input that a search once kept, crashing ones included, through the same functions; no fuzzer is needed.
@Suite(.serialized, .mayBlock) struct CorpusTests {
    @Test(arguments: FuzzTarget.all.map(\.name)) func whatWasFoundStillHolds(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let folder = try #require(Bundle.module.resourceURL).appending(components: "Corpora", name)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            #expect(throws: Never.self, "\(file.lastPathComponent)") { try target.run(Array(Data(contentsOf: file))) }
        }
    }

    /// What the encoders write today is accepted, and so are all beginnings of it.
    @Test(arguments: FuzzTarget.all.map(\.name)) func seedsAndTheirBeginningsHold(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let seeds = try target.seeds()
        #expect(!seeds.isEmpty)
        for seed in seeds {
            for length in stride(from: 0, through: seed.count, by: max(1, seed.count / 64)) {
                #expect(throws: Never.self) { try target.run(Array(seed.prefix(length))) }
            }
        }
    }

    @Test func everyCorpusHasItsTarget() throws {
        let folder = try #require(Bundle.module.resourceURL).appending(component: "Corpora")
        let found = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(found.sorted() == FuzzTarget.all.map(\.name).sorted())
    }
}
