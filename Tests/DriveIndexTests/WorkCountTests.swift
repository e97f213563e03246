import DriveCore
import Testing

@testable import DriveIndex

/// What is asked of one among many costs no more the more there are: counted in SQLite's own steps, and by what is looked at.
@Suite struct WorkCountTests {
    private static let hash = ContentHasher.hash(of: [1])

    private func row(_ id: RowID, in parent: RowID = .root, _ kind: ItemKind = .file, isEqual: Bool = true) -> Row {
        let time = FileTime(seconds: 1)
        let facts = FileFacts(
            kind: kind == .folder ? .folder : .file, identity: FileIdentity(inode: UInt64(id.rawValue), birth: nil),
            size: 1, modified: time, changed: time)
        let hash = isEqual ? Self.hash : ContentHasher.hash(of: Array("\(id.rawValue)".utf8))
        return Row(
            id: id, parent: parent, name: FileName("\(id.rawValue)"), kind: kind, facts: facts,
            hash: kind == .folder ? nil : hash, members: [Member(item: ItemID(high: 9, low: UInt64(id.rawValue)))])
    }

    private func index(equalFiles count: Int) throws -> DriveIndex {
        let index = try DriveIndex(path: nil)
        try index.transaction { for _ in 0..<count { try index.save(row(try index.newRowID())) } }
        return index
    }

    private func steps(toFindOneOf count: Int) throws -> Int {
        let index = try index(equalFiles: count)
        let before = index.connection.stepsTaken
        #expect(try index.hasRow(hash: Self.hash))
        return index.connection.stepsTaken - before
    }

    @Test func oneOfManyEqualFilesIsFoundAsOneOfAFew() throws {
        let few = try steps(toFindOneOf: 10)
        #expect(try few > 0 && steps(toFindOneOf: 1_000) == few)
    }

    /// Those that are shown where all are refused but the one after so many.
    private func shown(_ index: DriveIndex, refusing count: Int) throws -> Set<RowID> {
        var shown: Set<RowID> = []
        _ = try index.first(hash: Self.hash) { row -> RowID? in
            shown.insert(row.id)
            return shown.count > count ? row.id : nil
        }
        return shown
    }

    @Test(arguments: [0, 1, 5, 256, 257, 599, 600])
    func noMoreAreLookedAtThanAreWanted(refused: Int) throws {
        #expect(try shown(index(equalFiles: 600), refusing: refused).count == min(refused + 1, 600))
    }

    @Test func whatATransactionHasChangedIsSeenInIt() throws {
        let index = try index(equalFiles: 600)
        let even = try index.allRows().map(\.id).filter { $0.rawValue % 2 == 0 }
        try index.transaction {
            for id in even { try index.save(row(id, isEqual: false)) }
            let new = try index.newRowID()
            try index.save(row(new))
            #expect(try shown(index, refusing: 0) == [new])
            #expect(try shown(index, refusing: 1_000).count == 301)
        }
    }

    /// Also those of a folder of which the rest of the drive is a thousand times as much.
    @Test func ofAFolderNothingElseIsLookedAt() throws {
        let index = try index(equalFiles: 5_000)
        let folder = try index.newRowID()
        try index.save(row(folder, .folder))
        for _ in 0..<3 { try index.save(row(try index.newRowID(), in: folder)) }
        for isShallow in [true, false] {
            var query = NameQuery()
            query.folder = DrivePath([FileName("\(folder.rawValue)")])
            query.isShallow = isShallow
            #expect(try index.search(query).count == 3)
            let steps = try index.explanation(of: query, documents: nil).steps
            #expect(steps.contains { $0.hasPrefix("SEARCH row USING INDEX rowPlace (parent=?)") }, "\(steps)")
        }
        var query = NameQuery()
        (query.isShallow, query.name) = (true, "77")
        #expect(try index.search(query).map(\.path) == ["77"])
        let steps = try index.explanation(of: query, documents: nil).steps
        #expect(steps.contains { $0.hasPrefix("SEARCH row USING INDEX rowPlace (parent=? AND name=?)") }, "\(steps)")
        // A folder with nearly everything in it is faster found among all.
        (query.isShallow, query.name, query.folder) = (false, nil, .root)
        #expect(try index.explanation(of: query, documents: nil).steps == ["SCAN row"])
    }

    @Test func ofAPathOnlyItsOwnEventsAreRead() throws {
        let index = try DriveIndex(path: nil)
        for time in 0..<40 as Range<UInt64> {
            try index.log(DriveEvent(time: time, kind: .edited, path: time % 4 == 0 ? "a" : "b"))
        }
        var times: [UInt64] = []
        try index.events(at: "a") { event in
            times.append(event.time)
            return times.count < 3
        }
        #expect(times == [36, 32, 28])
    }
}
