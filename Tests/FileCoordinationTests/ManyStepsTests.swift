import DriveCore
import Synchronization
import Testing

@testable import FileCoordination

/// Many steps that one presenter makes way for.
struct ManyStepsTests {
    private final class Shower: FilePresenter {
        let presentedItemPath: DrivePath? = "Folder"
        private let count = Mutex(0)
        var asked: Int { count.withLock { $0 } }
        func accommodatePresentedSubitemDeletion(at path: DrivePath) async throws { count.withLock { $0 += 1 } }
    }

    @Test(.timeLimit(.minutes(20))) func eachIsAskedForOnce() async throws {
        let claims = FileClaims()
        let way = DriveCoordination(root: [0x2F], claims: claims)
        let (freed, frees) = AsyncStream<Void>.makeStream()
        claims.setWhenFreed { _ in frees.yield() }
        let shower = Shower()
        await way.add(shower)
        var steps = (0..<300).map { [FileIntent.writing(DrivePath("Folder/\($0)"), options: .forDeleting)] }
        var news = freed.makeAsyncIterator()
        while !steps.isEmpty {
            steps = steps.filter { step in
                guard let claim = claims.trySyncing(step) else { return true }
                claims.endSyncing(claim, AccessReport())
                return false
            }
            if !steps.isEmpty { await news.next() }
        }
        #expect(shower.asked == 300)
        await way.remove(shower)
    }
}
