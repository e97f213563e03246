import DriveCore
import Foundation
import Testing

@testable import FileCoordination

/// Several items in one access, of which some are read for uploading.
struct MixedAccessTests {
    @Test func whatIsReadForUploadingIsACopyBesideOthersToo() async throws {
        let house = try ArbiterHouse()
        try house.write("one", to: "Sent")
        try house.write("two", to: "Read")
        let root = Array("\(house.root)/drive".utf8)
        let way = DriveCoordination(root: root, claims: house.claims)
        let intents: [FileIntent] = [.reading("Read"), .reading("Sent", options: .forUploading)]
        let places = try await way.coordinator().coordinate(intents) { items in
            let texts = try items.map { try String(contentsOf: $0.url, encoding: .utf8) }
            #expect(texts == ["two", "one"])
            // All of it is held until the body ends.
            #expect(house.claims.isInUse)
            return items.map(\.place)
        }
        #expect(places[0] == root + Array("/Read".utf8))
        #expect(!places[1].starts(with: root))
        #expect(!house.claims.isInUse)
    }

    @Test func theLongestPatienceIsOne() async throws {
        #expect(try await SocketClient.answer(within: .seconds(Int64.max)) { 1 } == 1)
    }
}
