import DriveCore
import Foundation
import Synchronization
import Testing

@testable import FileCoordination

/// An editor with something that is not saved does not make way for a delete that syncing brings.
struct RefusingPresenterTests {
    private final class Editor: FilePresenter {
        struct Unsaved: Error {}

        let presentedItemPath: DrivePath? = "File"
        /// It is not passed over because the machine is busy.
        let answerDeadline = Duration.seconds(1_200)
        private let state = Mutex((asked: 0, isSaved: false))
        var asked: Int { state.withLock { $0.asked } }
        func isSaved() { state.withLock { $0.isSaved = true } }

        func accommodatePresentedItemDeletion() async throws {
            let isSaved = state.withLock { state in
                state.asked += 1
                return state.isSaved
            }
            if !isSaved { throw Unsaved() }
        }
    }

    /// It would be asked for ever, and the drive be looked at each time.
    @Test(.timeLimit(.minutes(20))) func itIsAskedAgainWhenItHasDoneSomething() async throws {
        // Time alone does not have it asked again here, however busy the machine is.
        let house = try ArbiterHouse(claims: FileClaims(lockFile: nil, handover: .seconds(2), refusal: .seconds(3_600)))
        try house.write("one", to: "File")
        let claims = house.claims
        let way = DriveCoordination(root: Array("\(house.root)/drive".utf8), claims: claims)
        let (freed, frees) = AsyncStream<Void>.makeStream()
        claims.setWhenFreed { _ in frees.yield() }
        var news = freed.makeAsyncIterator()
        let editor = Editor()
        await way.add(editor)
        let intents = [FileIntent.writing("File", options: .forDeleting)]
        #expect(claims.trySyncing(intents) == nil)
        await news.next()
        for _ in 0..<10 { #expect(claims.trySyncing(intents) == nil) }
        #expect(editor.asked == 1)
        // What somebody else does with its file is nothing that it has done.
        try await way.coordinator().coordinate(reading: "File") { _ in }
        await news.next()
        #expect(claims.trySyncing(intents) == nil && editor.asked == 1)
        try await way.coordinator(presenter: editor).coordinate(writing: "File") { item in
            try "one and more".write(to: item.url, atomically: false, encoding: .utf8)
            editor.isSaved()
        }
        await news.next()
        #expect(claims.trySyncing(intents) == nil)
        await news.next()
        let claim = try #require(claims.trySyncing(intents))
        claims.endSyncing(claim, AccessReport())
        #expect(editor.asked == 2)
        await way.remove(editor)
    }
}
