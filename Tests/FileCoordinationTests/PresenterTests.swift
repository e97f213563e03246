import DriveCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileCoordination

/// What presenters and coordinators see of each other, in one process and over a socket.
@Suite(.timeLimit(.minutes(20)))
struct PresenterTests {
    /// Runs the body with an arbiter, its folder, and the ways of two askers to it.
    private func arrange(
        _ isRemote: Bool, _ body: @Sendable (ArbiterHouse, DriveCoordination, DriveCoordination) async throws -> Void
    ) async throws {
        let house = try ArbiterHouse()
        try house.write("one", to: "File")
        if isRemote {
            try await house.run { try await body(house, house.coordination(), house.coordination()) }
        } else {
            let place = DriveCoordination(root: Array("\(house.root)/drive".utf8), claims: house.claims)
            try await body(house, place, place)
        }
    }

    /// Writes down what it is asked and told.
    private final class Recorder: FilePresenter {
        let presentedItemPath: DrivePath?
        let answerDeadline: Duration
        private let record = Mutex<[String]>([])
        /// Runs where it is asked to save.
        private let onSave = Mutex<(@Sendable () async throws -> Void)?>(nil)
        private let isStubborn: Bool

        // Where hundreds of tests share two threads, each step of one may wait for all others.
        init(_ path: DrivePath?, deadline: Duration = .seconds(86_400), isStubborn: Bool = false) {
            presentedItemPath = path
            answerDeadline = deadline
            self.isStubborn = isStubborn
        }

        var log: [String] { record.withLock { $0 } }
        func note(_ text: String) { record.withLock { $0.append(text) } }
        func saving(_ body: @escaping @Sendable () async throws -> Void) { onSave.withLock { $0 = body } }

        private func relinquish(_ whom: String) async -> Reacquirer? {
            note(whom)
            // Until it is removed.
            if isStubborn { try? await Task.sleep(for: .seconds(1 << 30)) }
            return { self.note("reacquire") }
        }

        func relinquishPresentedItemToReader() async -> Reacquirer? { await relinquish("reader") }
        func relinquishPresentedItemToWriter() async -> Reacquirer? { await relinquish("writer") }
        func savePresentedItemChanges() async throws {
            note("save")
            try await onSave.withLock { $0 }?()
        }
        func accommodatePresentedItemDeletion() async throws { note("delete") }
        func accommodatePresentedSubitemDeletion(at path: DrivePath) async throws { note("delete \(path)") }
        func presentedItemDidMove(to path: DrivePath) async { note("moved to \(path)") }
        func presentedItemDidChange() async { note("changed") }
        func presentedItemVersions(_ news: VersionNews) async { note("\(news.change) \(news.version)") }
        func presentedSubitemDidAppear(at path: DrivePath) async { note("new \(path)") }
        func presentedSubitem(at path: DrivePath, didMoveTo other: DrivePath) async { note("\(path) to \(other)") }
        func presentedSubitemDidChange(at path: DrivePath) async { note("changed \(path)") }
        func presentedSubitemVersions(at path: DrivePath, _ news: VersionNews) async {
            note("\(news.change) \(news.version) of \(path)")
        }
    }

    @Test(arguments: [false, true])
    func presentersMakeWayAndGetTheirItemBack(isRemote: Bool) async throws {
        try await arrange(isRemote) { _, one, other in
            let recorder = Recorder("File")
            await one.add(recorder)
            try await other.coordinator().coordinate(reading: "File") { _ in recorder.note("body") }
            #expect(try await soon { recorder.log == ["reader", "save", "body", "reacquire"] })
            try await other.coordinator().coordinate(writing: "File", options: .forMerging) { item in
                recorder.note("body")
                try "two".write(to: item.url, atomically: false, encoding: .utf8)
            }
            let merging = ["writer", "save", "body", "reacquire", "changed"]
            #expect(try await soon { recorder.log.suffix(5) == merging[...] }, "\(recorder.log)")
            // What its own coordinators do is no news.
            let count = recorder.log.count
            try await one.coordinator(presenter: recorder).coordinate(writing: "File") { item in
                try "three".write(to: item.url, atomically: false, encoding: .utf8)
            }
            await one.remove(recorder)
            try await other.coordinator().coordinate(writing: "File") { _ in }
            #expect(recorder.log.count == count)
        }
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1)])
    func anyDeadlineIsOne(deadline: Duration) async throws {
        try await arrange(false) { _, one, other in
            let recorder = Recorder("File", deadline: deadline)
            await one.add(recorder)
            try await other.coordinator().coordinate(reading: "File") { _ in }
            await one.remove(recorder)
        }
    }

    @Test(arguments: [false, true])
    func aPresenterMaySaveWhileTheReaderWaits(isRemote: Bool) async throws {
        try await arrange(isRemote) { house, one, other in
            let recorder = Recorder("File")
            recorder.saving { [unowned recorder] in
                try await one.coordinator(presenter: recorder).coordinate(writing: "File") { item in
                    try "saved".write(to: item.url, atomically: false, encoding: .utf8)
                }
            }
            await one.add(recorder)
            let text = try await other.coordinator().coordinate(reading: "File") {
                try String(contentsOf: $0.url, encoding: .utf8)
            }
            #expect(text == "saved")
            await one.remove(recorder)
        }
    }

    /// A coordinator that is not the presenter's own could not be told apart from a stranger's.
    @Test(arguments: [false, true])
    func aPresenterThatSavesThroughAnotherCoordinatorGetsAnError(isRemote: Bool) async throws {
        try await arrange(isRemote) { _, one, other in
            let recorder = Recorder("File")
            recorder.saving { try await one.coordinator().coordinate(writing: "File") { _ in } }
            await one.add(recorder)
            let reason = CoordinationError.deadlock("File").description
            await #expect(throws: CoordinationError.presenterFailed("File", reason)) {
                try await other.coordinator().coordinate(reading: "File") { _ in }
            }
            await one.remove(recorder)
        }
    }

    @Test(arguments: [false, true])
    func aPresenterThatNeverAnswersStopsWritersAlone(isRemote: Bool) async throws {
        try await arrange(isRemote) { _, one, other in
            let recorder = Recorder("File", deadline: .milliseconds(50), isStubborn: true)
            await one.add(recorder)
            await #expect(throws: CoordinationError.presenterUnresponsive("File")) {
                try await other.coordinator().coordinate(writing: "File") { _ in }
            }
            let read = try await other.coordinator().coordinate(reading: "File") { _ in true }
            #expect(read && recorder.log == ["writer"])
            await one.remove(recorder)
            try await other.coordinator().coordinate(writing: "File") { _ in }
        }
    }

    @Test(arguments: [false, true])
    func deletionsMovesAndNewItemsAreTold(isRemote: Bool) async throws {
        try await arrange(isRemote) { house, one, other in
            let (file, folder) = (Recorder("File"), Recorder(.root))
            await one.add(file)
            await one.add(folder)
            let mover = other.coordinator()
            try await mover.coordinate([
                .writing("File", options: .forMoving), .writing("Other", options: .forReplacing),
            ]) { items in
                try FileManager.default.moveItem(at: items[0].url, to: items[1].url)
                try mover.itemDidMove(from: "File", to: "Other")
            }
            #expect(try await soon { file.log == ["writer", "moved to Other", "reacquire"] }, "\(file.log)")
            #expect(try await soon { folder.log == ["delete Other", "File to Other"] }, "\(folder.log)")
            try await other.coordinator().coordinate(writing: "New") { item in
                try "new".write(to: item.url, atomically: false, encoding: .utf8)
            }
            #expect(try await soon { folder.log.last == "new New" })
            try await other.coordinator().coordinate(writing: "Other", options: .forDeleting) { item in
                try FileManager.default.removeItem(at: item.url)
            }
            #expect(try await soon { file.log.suffix(3) == ["writer", "delete", "reacquire"] }, "\(file.log)")
            #expect(folder.log.last == "delete Other")
            await one.remove(file)
            await one.remove(folder)
        }
    }

    @Test func movesAreToldByWhoeverHoldsTheItem() async throws {
        try await arrange(false) { _, one, _ in
            #expect(throws: DriveError.self) { try one.coordinator().itemDidMove(from: "File", to: "Other") }
        }
    }

    @Test(arguments: [false, true])
    func whoWaitsGetsTheItemWhereItIs(isRemote: Bool) async throws {
        try await arrange(isRemote) { house, one, other in
            try await withThrowingTaskGroup(of: DrivePath.self) { group in
                let mover = one.coordinator()
                try await mover.coordinate(writing: "File", options: .forMoving) { item in
                    group.addTask {
                        try await other.within("") {
                            try await other.coordinator().coordinate(reading: "File") { $0.path }
                        }
                    }
                    group.addTask {
                        try await other.within("") {
                            try await other.coordinator().coordinate(writing: "File", options: .forReplacing) {
                                $0.path
                            }
                        }
                    }
                    #expect(try await soon { house.claims.waiting == 2 })
                    try FileManager.default.moveItem(
                        at: item.url, to: item.url.deletingLastPathComponent().appendingPathComponent("Other"))
                    try mover.itemDidMove(from: "File", to: "Other")
                }
                var paths: Set<DrivePath> = []
                for try await path in group { paths.insert(path) }
                #expect(paths == ["Other", "File"])
            }
        }
    }

    @Test(arguments: [false, true])
    func cancelEndsWaitsAndNothingElse(isRemote: Bool) async throws {
        try await arrange(isRemote) { house, one, other in
            let waiter = other.coordinator()
            try await one.coordinator().coordinate(writing: "File") { _ in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await other.within("") { try await waiter.coordinate(reading: "File") { _ in } }
                    }
                    let isWaiting = try await soon { house.claims.waiting == 1 }
                    #expect(isWaiting)
                    waiter.cancel()
                    let end = await group.nextResult()
                    #expect(throws: CancellationError.self) { try end?.get() }
                }
                // An arbiter elsewhere hears of it a moment later.
                let isForgotten = try await soon { house.claims.waiting == 0 }
                #expect(isForgotten)
            }
            await #expect(throws: CancellationError.self) { try await waiter.coordinate(reading: "File") { _ in } }
            let busy = one.coordinator()
            try await busy.coordinate(writing: "File") { _ in busy.cancel() }
        }
    }

    @Test(arguments: [false, true])
    func nestedClaimsThatWaitForEachOtherFail(isRemote: Bool) async throws {
        try await arrange(isRemote) { house, one, other in
            let both = Barrier(2)
            @Sendable func hold(_ way: DriveCoordination, _ path: DrivePath, then next: DrivePath) async -> Bool {
                do {
                    try await way.coordinator().coordinate(writing: path) { _ in
                        await both.wait()
                        try await way.coordinator().coordinate(writing: next) { _ in }
                    }
                    return true
                } catch CoordinationError.deadlock { return false } catch {
                    Issue.record(error)
                    return false
                }
            }
            async let first = hold(one, "A", then: "B")
            async let second = hold(other, "B", then: "A")
            // One gives way to the other.
            let outcomes = await [first, second]
            #expect(Set(outcomes) == [true, false])
        }
    }

    @Test(arguments: [false, true])
    func equalPurposesNeverWait(isRemote: Bool) async throws {
        try await arrange(isRemote) { _, one, other in
            let first = one.coordinator()
            try await first.coordinate(writing: "File") { _ in
                try await other.coordinator(purpose: first.purpose).coordinate(writing: "File") { _ in }
            }
        }
    }

    @Test(arguments: [false, true])
    func manyItemsArePreparedAtOnce(isRemote: Bool) async throws {
        try await arrange(isRemote) { _, one, other in
            let recorders = [Recorder("Folder/1"), Recorder("Folder/2")]
            for recorder in recorders { await one.add(recorder) }
            let coordinator = other.coordinator()
            try await coordinator.prepare(reading: ["Folder"]) {
                for path in ["Folder/1", "Folder/2"] as [DrivePath] {
                    try await coordinator.coordinate(reading: path, options: .withoutChanges) { _ in }
                }
            }
            for recorder in recorders {
                #expect(try await soon { recorder.log == ["save", "reader", "reacquire"] }, "\(recorder.log)")
                await one.remove(recorder)
            }
            await #expect(throws: DriveError.self) {
                try await coordinator.prepare(writing: ["Folder"], writingOptions: .forReplacing) {}
            }
        }
    }

    @Test(arguments: [false, true])
    func versionsAreToldToEverybody(isRemote: Bool) async throws {
        try await arrange(isRemote) { _, one, other in
            let (file, folder) = (Recorder("File"), Recorder(.root))
            await one.add(file)
            await one.add(folder)
            let own = one.coordinator(presenter: file)
            for change in VersionNews.Change.allCases { await own.itemVersions(at: "File", VersionNews(change, "v1")) }
            let isTold = try await soon { file.log == ["gained v1", "lost v1", "resolved v1"] }
            #expect(isTold)
            let isFolderTold = try await soon { folder.log.count == 3 && folder.log[0] == "gained v1 of File" }
            #expect(isFolderTold)
            await one.remove(file)
            await one.remove(folder)
        }
    }

    /// Lets everybody go when all have come.
    private actor Barrier {
        private var missing: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(_ count: Int) { missing = count }

        func wait() async {
            missing -= 1
            if missing == 0 {
                for continuation in waiting { continuation.resume() }
            } else {
                await withCheckedContinuation { waiting.append($0) }
            }
        }
    }

    /// Why apply does not come for what presenters made way for, or does not need it to be kept.
    enum Needless: CaseIterable { case removed, closed, unresponsive }

    /// It would keep writers waiting for ten seconds.
    @Test(arguments: Needless.allCases) func nothingIsKeptForApplyThatDoesNotNeedIt(_ reason: Needless) async throws {
        try await arrange(false) { house, one, _ in
            let isStubborn = reason == .unresponsive
            let recorder = Recorder("File", deadline: isStubborn ? .zero : .seconds(86_400), isStubborn: isStubborn)
            await one.add(recorder)
            #expect(house.claims.trySyncing([.writing("File")]) == nil)
            if isStubborn {
                #expect(
                    try await soon {
                        house.claims.state.withLock { $0.arbiter.presenters.values.contains { $0.isUnresponsive } }
                    })
                #expect(!house.claims.isInUse)
                let claim = try #require(house.claims.trySyncing([.writing("File")]))
                house.claims.endSyncing(claim, AccessReport())
            } else {
                #expect(try await soon { house.claims.state.withLock { !$0.prepared.granted.isEmpty } })
                #expect(house.claims.isInUse)
            }
            if reason == .closed { house.claims.endPreparing() }
            if reason == .removed { await one.remove(recorder) }
            #expect(!house.claims.isInUse)
            await one.remove(recorder)
        }
    }
}
