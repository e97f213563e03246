import DriveCore
import DrivePredicates
import DriveTesting
import GRDB
import Testing

@testable import DriveIndex

/// SQLite takes a prefix of the key, and reads all of a folder, where no index has what a query wants.
@Suite struct QueryPlanTests {
    @Test(arguments: [
        (DriveIndex.derivedOfGroup, "(node=? AND ownName=?)"), (DriveIndex.derivedNamed, "(node=? AND name=?)"),
        (DriveIndex.derivedNumbered, "derivedNumbered (node=?)"),
        (DriveIndex.removeDerived, "(node=? AND ownName=? AND item=? AND device=? AND n=?)"),
    ])
    func namesOfConflictCopiesAreFoundByTheirIndex(query: Query, terms: String) throws {
        let steps = try plan(of: query, Schema.newest)
        #expect(steps.count == 1 && steps[0].hasPrefix("SEARCH derived") && steps[0].hasSuffix(terms), "\(steps)")
    }

    /// As in a list that somebody has pasted.
    @Test func whatIsSaidTwiceIsLookedUpOnce() throws {
        let search = try SearchIndex(of: DeviceID(high: 1, low: 1))
        let words = Array(repeating: "budget (plan | -budget)", count: 5_000).joined(separator: " ")
        let plan = try SearchPlan(MetadataPredicate(words: words), names: nil, documents: search)
        #expect(plan.lookups.count == 2)
        guard case .and(let parts) = plan.predicate else { throw DriveError(.internalFault, "it is something else") }
        #expect(parts.count == 2)
    }

    /// It is asked before every scan, of a table that may have a million rows.
    @Test func ignoreFilesAreFoundByTheirIndex() throws {
        let steps = try plan(of: DriveIndex.namedIgnoreFile, Schema.newest)
        #expect(steps.count == 1 && steps[0].hasSuffix("USING INDEX rowIgnoreFile"), "\(steps)")
        let name = IgnoreRules.fileName.bytes.map { String($0, radix: 16, uppercase: true) }.joined()
        #expect(DriveIndex.namedIgnoreFile.sql.hasSuffix("X'\(name)'"))
    }

    /// It is asked for what is gone, of which there may be thousands, and nearly always there is nothing.
    @Test func whatLacksItsFolderIsFoundByItsIndex() throws {
        let steps = try plan(of: DriveIndex.namesWithoutFolder, Schema.newest)
        #expect(steps == ["SCAN item USING INDEX itemPending"])
    }

    @Test(arguments: [
        (DriveIndex.rowsOfHash, "row USING INDEX rowHash (hash=? AND rowid>?)"),
        (DriveIndex.eventsOfPath, "log USING INDEX logPath (path=?)"),
        (SearchedFolders.named, "row USING INDEX rowPlace (parent=? AND name=?)"),
        (SearchedFolders.children, "row USING INDEX rowPlace (parent=?)"),
    ])
    func oneOfManyIsFoundByItsIndexInItsOrder(query: Query, terms: String) throws {
        let steps = try plan(of: query, Schema.newest)
        #expect(steps == ["SEARCH \(terms)"])
    }

    /// It is asked after every pass; most of what cannot be read will not be tried again.
    @Test func documentsToTryAgainAreFoundByTheirIndex() throws {
        let steps = try plan(of: SearchIndex.dueFailures, SearchSchema.newest)
        #expect(steps.first == "SEARCH failure USING INDEX failureRetry (retry<?)", "\(steps)")
        #expect(steps.allSatisfy { !$0.hasPrefix("SCAN") }, "\(steps)")
    }

    /// A condition of a partial index that a parameter may imply makes SQLite look at the parameter's value, and compile the
    /// statement anew for every other one.
    @Test func noStatementIsCompiledAnewForOtherValues() throws {
        let index = try DriveIndex(path: nil)
        var comparison = StateComparison(
            MemoryState(device: DeviceID(high: 0, low: 0), label: ""), index, seed: 1)
        try comparison.run(transactions: 40)
        #expect(index.connection.compiledAnew == [])
    }

    /// It is asked with every search, and nearly always there is nothing.
    @Test func whatIsUnreadIsCountedWithoutTheRowsThatAreRead() throws {
        let steps = try plan(of: DriveIndex.countUnread, Schema.newest)
        #expect(steps.filter { $0.hasPrefix("SCAN") } == ["SCAN CONSTANT ROW", "SCAN unread"], "\(steps)")
    }

    /// Only what asks for everything goes through everything; what is held or set aside is all of an index of its own.
    @Test func noStatementGoesThroughAWholeTableForAPartOfIt() throws {
        let index = try DriveIndex(path: nil)
        var comparison = StateComparison(
            MemoryState(device: DeviceID(high: 0, low: 0), label: ""), index, seed: 1)
        try comparison.run(transactions: 40)
        while try index.indexNames(limit: 10) {}
        _ = try index.unreadCount()
        _ = try index.newFiles(limit: 10)
        let whole = [
            "FROM row ORDER BY id", "FROM item WHERE kind IS NOT NULL", "held = 1 ORDER BY id",
            "parked = 1 ORDER BY id",
        ]
        let scanning = index.connection.scanning.filter { statement in !whole.contains { statement.hasSuffix($0) } }
        #expect(scanning == [])
    }

    private func plan(of query: Query, _ schema: String) throws -> [String] {
        let database = try DatabaseQueue()
        let plan = try database.write { db in
            try db.execute(sql: schema)
            return try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN \(query.sql)",
                arguments: StatementArguments(query.sql.filter { $0 == "?" }.map { _ in 1 }))
        }
        return plan.map { $0["detail"] as String }
    }
}
