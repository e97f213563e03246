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
        let database = try DatabaseQueue()
        let plan = try database.write { db in
            try db.execute(sql: Schema.newest)
            return try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN \(query.sql)",
                arguments: StatementArguments(query.sql.filter { $0 == "?" }.map { _ in 1 }))
        }
        let steps = plan.map { $0["detail"] as String }
        #expect(steps.count == 1 && steps[0].hasPrefix("SEARCH derived") && steps[0].hasSuffix(terms), "\(steps)")
    }
}
