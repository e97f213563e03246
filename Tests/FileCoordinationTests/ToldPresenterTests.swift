import DriveCore
import Foundation
import Synchronization
import Testing

@testable import FileCoordination

/// What a presenter does when it is told something is its own: nobody asks it about that, who is busy with it.
struct ToldPresenterTests {
    private final class Listener: FilePresenter {
        let presentedItemPath: DrivePath? = "File"
        let news: AsyncStream<Set<String>>
        private let heard: AsyncStream<Set<String>>.Continuation

        init() { (news, heard) = AsyncStream<Set<String>>.makeStream() }

        func relinquishPresentedItemToWriter() async -> Reacquirer? {
            { self.heard.yield(DriveCoordination.purposes) }
        }
        func presentedItemDidChange() async { heard.yield(DriveCoordination.purposes) }
    }

    @Test(.timeLimit(.minutes(20))) func itActsAsPartOfItself() async throws {
        let house = try ArbiterHouse()
        try house.write("one", to: "File")
        let way = DriveCoordination(root: Array("\(house.root)/drive".utf8), claims: house.claims)
        let listener = Listener()
        await way.add(listener)
        try await way.coordinator().coordinate(writing: "File") { item in
            try "two".write(to: item.url, atomically: false, encoding: .utf8)
        }
        var news = listener.news.makeAsyncIterator()
        for _ in 0..<2 { #expect(await news.next()?.count == 1) }
        await way.remove(listener)
    }
}
