import DriveCore
import DriveIndex
import DrivePredicates
import Foundation
import TestSupport
import Testing

@testable import DocumentDrive

/// The life of a query: gathering, updates, frozen results, an end; and how its results are arranged.
final class MetadataQueryTests: Sendable {
    private let root: String
    private let folder: FolderPath

    init() async throws {
        root = NSTemporaryDirectory() + "docdrive-query-\(UUID().uuidString)"
        folder = FolderPath("\(root)")
        try FileManager.default.createDirectory(atPath: "\(root)/Papers", withIntermediateDirectories: true)
        try write("one", to: "Papers/one.txt")
        try write("twotwo", to: "two.txt")
        try write("# Three", to: "three.md")
        try await DriveSetup(folder: folder, store: nil).carryOut()
        try await pass()
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(root)/\(path)"))
    }

    private func pass() async throws { _ = try await Drive.open(folder).sync() }

    private func texts() throws -> MetadataQuery.Question {
        var question = MetadataQuery.Question(try MetadataPredicate(format: "kDDItemExtension == 'txt'"))
        question.order = [MetadataSort("kMDItemFSSize", isAscending: false)]
        return question
    }

    private func paths(_ items: [MetadataItem]) -> [String] { items.map(\.path.description) }

    @Test func itGathersThenTellsWhatChanges() async throws {
        let query = try MetadataQuery(folder, texts())
        await query.setBatchingInterval(.zero)
        #expect(await !query.isStarted)
        var events = await query.start().makeAsyncIterator()
        guard case .startedGathering = await events.next(), case .finishedGathering = await events.next() else {
            Issue.record("no gathering")
            return
        }
        #expect(await query.isStarted)
        #expect(await !query.isGathering)
        #expect(paths(await query.results) == ["two.txt", "Papers/one.txt"])
        let first = try #require(await query.results.first)
        #expect(first.state == .synced)
        #expect(
            first.values(forAttributes: ["kMDItemFSName", "kMDItemFSSize", "nobody's"])
                == ["kMDItemFSName": "two.txt", "kMDItemFSSize": 6, "nobody's": .null])

        try write("more than six", to: "Papers/new.txt")
        try write("changed", to: "two.txt")
        try FileManager.default.moveItem(atPath: "\(root)/Papers/one.txt", toPath: "\(root)/Papers/one.md")
        try await pass()
        var all = MetadataChanges()
        while all.added.isEmpty || all.changed.isEmpty || all.removed.isEmpty, let event = await events.next() {
            guard case .updated(let changes) = event else { continue }
            all.added += changes.added
            all.changed += changes.changed
            all.removed += changes.removed
        }
        #expect(paths(all.added) == ["Papers/new.txt"])
        #expect(paths(all.changed) == ["two.txt"])
        #expect(paths(all.removed) == ["Papers/one.txt"])
        #expect(paths(await query.results) == ["Papers/new.txt", "two.txt"])
        await query.stop()
        #expect(await query.isStopped)
        #expect(await query.resultCount == 2)
        #expect(await events.next() == nil)
    }

    /// Whoever reads the events late adds them up all the same.
    @Test func theEndOfGatheringTellsWhatWasFoundThen() async throws {
        let query = try MetadataQuery(folder, texts())
        await query.setBatchingInterval(.zero)
        let events = await query.start()
        let other = await query.events()
        for await event in other { if case .finishedGathering = event { break } }
        try write("new", to: "new.txt")
        try await query.barrier()
        #expect(await query.resultCount == 3)
        var found: [String] = []
        for await event in events {
            if case .finishedGathering(let items) = event { found = paths(items) }
            guard case .updated(let changes) = event else { continue }
            #expect(paths(changes.added) == ["new.txt"])
            break
        }
        #expect(found == ["two.txt", "Papers/one.txt"])
        await query.stop()
    }

    @Test func frozenResultsTakeUpChangesAtTheLastEnable() async throws {
        let query = try MetadataQuery(folder, texts())
        await query.setBatchingInterval(.zero)
        var events = await query.start().makeAsyncIterator()
        while let event = await events.next() { if case .finishedGathering = event { break } }
        await query.disableUpdates()
        await query.disableUpdates()
        try write("new", to: "new.txt")
        try await query.barrier()
        try await query.enableUpdates()
        #expect(await query.resultCount == 2)
        try await query.enableUpdates()
        #expect(await query.resultCount == 3)
        guard case .updated(let changes) = await events.next() else {
            Issue.record("no update")
            return
        }
        #expect(paths(changes.added) == ["new.txt"])
        await query.stop()
    }

    @Test func anotherQuestionGathersAnew() async throws {
        let query = try MetadataQuery(folder, texts())
        var events = await query.start().makeAsyncIterator()
        while let event = await events.next() { if case .finishedGathering = event { break } }
        var question = MetadataQuery.Question(.constant(true))
        question.scopes = ["Papers"]
        await query.ask(question)
        while let event = await events.next() { if case .finishedGathering = event { break } }
        #expect(paths(await query.results) == ["Papers/one.txt"])
        await query.stop()
        // And a stopped one can be started again.
        events = await query.start().makeAsyncIterator()
        while let event = await events.next() { if case .finishedGathering = event { break } }
        #expect(await query.resultCount == 1)
        await query.stop()
    }

    @Test func stoppedAtOnceItIsStoppedAndCanBeStartedAgain() async throws {
        for _ in 0..<20 {
            let query = try MetadataQuery(folder, texts())
            await query.setBatchingInterval(.zero)
            await query.startAndStop()
            #expect(await query.isStopped)
            var events = await query.start().makeAsyncIterator()
            while let event = await events.next() { if case .finishedGathering = event { break } }
            let name = UUID().uuidString
            try write("new", to: "\(name).txt")
            try await query.barrier()
            guard case .updated(let changes) = await events.next() else {
                Issue.record("it told nothing of a change")
                return
            }
            #expect(paths(changes.added) == ["\(name).txt"])
            await query.stop()
            #expect(await events.next() == nil)
        }
    }

    @Test func anotherQuestionRightAfterTheStartGathersOnce() async throws {
        let query = try MetadataQuery(folder, texts())
        let events = await query.startAndAsk(MetadataQuery.Question(.constant(false)))
        try await query.barrier()
        await query.stop()
        var gatherings = 0
        for await event in events { if case .finishedGathering = event { gatherings += 1 } }
        #expect(gatherings == 1)
    }

    @Test func aLimitBelowNothingIsNothing() async throws {
        var question = try texts()
        question.limit = -1
        let query = try MetadataQuery(folder, question)
        var events = await query.start().makeAsyncIterator()
        while let event = await events.next() { if case .finishedGathering = event { break } }
        #expect(await query.resultCount == 0)
        await query.stop()
    }

    @Test(.timeLimit(.minutes(20))) func aBarrierGoesThroughTheDriveThatIsOpen() async throws {
        let drive = try Drive.open(folder)
        let query = try MetadataQuery(folder, texts())
        await query.start()
        try write("new", to: "new.txt")
        // Whoever waited for the drive to become free would be told that it does not.
        try await query.barrier()
        #expect(await query.resultCount == 3)
        await query.stop()
        withExtendedLifetime(drive) {}
    }

    /// Whoever waits for its results would take old ones for new.
    @Test func aQueryThatDoesNotRunHasNoBarrier() async throws {
        let query = try MetadataQuery(folder, texts())
        await #expect(throws: DriveError.self) { try await query.barrier() }
        await query.start()
        try await query.barrier()
        await query.stop()
        await #expect(throws: DriveError.self) { try await query.barrier() }
    }

    @Test func aStoppedQueryHasNoEvents() async throws {
        let query = try MetadataQuery(folder, texts())
        await query.start()
        await query.stop()
        for await _ in await query.events() { Issue.record("an event") }
    }

    @Test(.timeLimit(.minutes(20))) func aShorterIntervalHoldsForWhatWaits() async throws {
        let query = try MetadataQuery(folder, texts())
        await query.setBatchingInterval(.seconds(Int64.max))
        var events = await query.start().makeAsyncIterator()
        while let event = await events.next() { if case .finishedGathering = event { break } }
        try write("new", to: "new.txt")
        try await pass()
        try await until { await query.isPausing }
        await query.setBatchingInterval(.zero)
        guard case .updated = await events.next() else {
            Issue.record("no update")
            return
        }
        await query.stop()
    }

    @Test(.timeLimit(.minutes(20))) func aQueryThatNobodyHasIsGone() async throws {
        weak var gone: MetadataQuery?
        do {
            let query = try MetadataQuery(folder, texts())
            gone = query
            await query.setBatchingInterval(.seconds(3_600))
            var events = await query.start().makeAsyncIterator()
            while let event = await events.next() { if case .finishedGathering = event { break } }
            try write("new", to: "new.txt")
            try await pass()
            try await until { await query.isPausing }
        }
        try await until { gone == nil }
    }

    @Test func valuesAreListedAndGrouped() async throws {
        var question = MetadataQuery.Question(try MetadataPredicate(format: "kMDItemFSName != '.driveignore'"))
        question.valueListAttributes = ["kDDItemExtension"]
        question.groupingAttributes = ["kMDItemKind", "kDDItemExtension"]
        let query = try MetadataQuery(folder, question)
        var events = await query.start().makeAsyncIterator()
        while let event = await events.next() { if case .finishedGathering = event { break } }
        let list = await query.valueLists["kDDItemExtension"] ?? []
        #expect(list.map(\.value) == [.string("txt"), .null, .string("md")])
        #expect(list.map(\.count) == [2, 1, 1])
        let groups = await query.groupedResults
        #expect(groups.map(\.value) == [.string("folder"), .string("text")])
        #expect(groups.last?.subgroups.map(\.value) == [.string("md"), .string("txt")])
        let item = try #require(await query.results.first { $0.path == "two.txt" })
        #expect(item.value(forAttribute: "kMDItemFSSize") == .integer(6))
        #expect(item.attributes.contains("kMDItemFSName"))
        #expect(await query.index(of: item) != nil)
        await query.stop()
    }

    @Test func anErrorEndsIt() async throws {
        let query = try MetadataQuery(folder, MetadataPredicate(format: "kMDItemFSName MATCHES '('"))
        var failure: (any Error)?
        for await event in await query.start() { if case .failed(let error) = event { failure = error } }
        #expect(failure != nil)
        #expect(await query.isStopped)
        #expect(throws: DriveError.self) { try MetadataQuery(FolderPath("/proc"), MetadataPredicate.constant(true)) }
    }

    private enum Departure: CaseIterable { case moved, movedWithItsParent, deleted, replaced }

    /// Without a look or a write by anybody.
    @Test(.timeLimit(.minutes(20)), arguments: Departure.allCases)
    private func aDriveThatGoesAwayEndsAnIdleQuery(_ departure: Departure) async throws {
        let files = FileManager.default
        let place = FolderPath("\(root)-away/Documents")
        defer { for name in ["away", "gone"] { try? files.removeItem(atPath: "\(root)-\(name)") } }
        try files.createDirectory(atPath: place.description, withIntermediateDirectories: true)
        try await DriveSetup(folder: place, store: nil).carryOut()
        _ = try await Drive.open(place).sync()
        let query = try MetadataQuery(place, texts())
        var events = await query.start().makeAsyncIterator()
        while let event = await events.next() { if case .finishedGathering = event { break } }
        switch departure {
        case .moved: try files.moveItem(atPath: place.description, toPath: "\(root)-gone")
        case .movedWithItsParent: try files.moveItem(atPath: "\(root)-away", toPath: "\(root)-gone")
        case .deleted: try files.removeItem(atPath: place.description)
        case .replaced:
            try files.removeItem(atPath: place.description)
            try files.createDirectory(atPath: place.description, withIntermediateDirectories: true)
            try await DriveSetup(folder: place, store: nil).carryOut()
            _ = try await Drive.open(place).sync()
        }
        guard case .failed(let error as DriveError) = await events.next() else {
            Issue.record("it goes on")
            return
        }
        #expect(error.path == place.description)
        #expect(await events.next() == nil)
        #expect(await query.isStopped)
    }

    @Test func ordersGoByKindAndValue() {
        let values: [PredicateValue] = [
            .null, .integer(-5), .integer(1), .real(1.5), .date(PredicateDate(seconds: 1, nanoseconds: 5)),
            .date(PredicateDate(seconds: 1, nanoseconds: 6)), .string("a"), .string("Ä"), .string("b"), .data([1]),
        ]
        for (a, b) in zip(values, values.dropFirst()) { #expect(SortKey(a) < SortKey(b)) }
        #expect(SortKey(.list([.integer(3)])) < SortKey(.integer(4)))
    }

    /// Also where two are one text for `String`: otherwise the order of all depends on the one that they had before.
    @Test func oneOfTwoTextsComesFirst() {
        let keys = ["e", "e\u{301}", "e\u{302}", "\u{e9}"].map { SortKey(.string($0)) }
        for (place, key) in keys.enumerated() {
            for (other, second) in keys.enumerated() {
                #expect((key < second) == (place < other) && (key == second) == (place == other))
            }
        }
    }
}

extension MetadataQuery {
    /// Before it could begin to gather.
    fileprivate func startAndStop() {
        start()
        stop()
    }

    fileprivate func startAndAsk(_ question: Question) -> AsyncStream<MetadataQueryEvent> {
        let events = start()
        ask(question)
        return events
    }
}
