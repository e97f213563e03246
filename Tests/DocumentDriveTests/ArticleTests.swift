import DriveCore
import DrivePredicates
import Foundation
import Testing

@testable import DocumentDrive

/// The examples of the DocC article on searching: each block of it stands here, so that it is compiled and run.
struct ArticleTests {
    @Test func theExamplesRun() async throws {
        let root = NSTemporaryDirectory() + "docdrive-article-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createDirectory(atPath: "\(root)/Papers", withIntermediateDirectories: true)
        try Data("first".utf8).write(to: URL(fileURLWithPath: "\(root)/Papers/one.txt"))
        let folder = FolderPath(root)
        try await DriveSetup(folder: folder, store: nil).carryOut()
        try await Drive.open(folder).look()

        let predicate = try MetadataPredicate(
            format: "kMDItemFSName LIKE[c] %@ AND kMDItemFSSize > %d", arguments: [.string("*.txt"), .integer(2)])

        let reader = try DriveReader(folder)
        let items = try reader.items(predicate)
        for item in items { print(item.path, item.value(forAttribute: "kMDItemFSSize")) }
        #expect(items.map(\.path) == ["Papers/one.txt"])

        let writer = Task {
            try Data("second".utf8).write(to: URL(fileURLWithPath: "\(root)/Papers/two.txt"))
            try await Drive.open(folder).look()
        }

        let query = try MetadataQuery(folder, predicate)
        for await event in await query.start() {
            switch event {
            case .startedGathering: continue
            case .finishedGathering(let items): print(items.count, "items")
            case .updated(let changes): print("new:", changes.added.map(\.path))
            case .failed(let error): throw error
            }
            if await query.resultCount > 1 { await query.stop() }
        }
        try await writer.value
        #expect(await query.resultCount == 2)

        await query.disableUpdates()
        for item in await query.results { print(item.path) }
        try await query.enableUpdates()

        var question = MetadataQuery.Question(predicate)
        question.scopes = ["Papers"]
        question.order = [MetadataSort("kMDItemFSSize", isAscending: false), MetadataSort("kMDItemFSName")]
        question.valueListAttributes = ["kMDItemKind"]
        question.groupingAttributes = ["kDDItemExtension"]
        await query.ask(question)
        for await event in await query.start() { if case .finishedGathering = event { break } }

        for tuple in await query.valueLists["kMDItemKind"] ?? [] { print(tuple.value, tuple.count) }
        for group in await query.groupedResults { print(group.value, group.results.count) }
        #expect(await query.results.map(\.path) == ["Papers/two.txt", "Papers/one.txt"])

        try await query.barrier()
        await query.stop()
    }

    @Test func everyExampleOfTheArticleStandsHere() throws {
        let article = Article("MetadataQueries")
        #expect(try article.missing(in: #filePath) == [])
        #expect(try article.examples().count == 7)
    }
}
