import DriveCore
import DrivePredicates
import DriveTesting
import Testing

@testable import DriveIndex

/// Documents with equal texts, of which one holds the text for all.
@Suite struct TwinTextTests {
    private let search: SearchIndex

    init() throws { search = try SearchIndex(of: DeviceID(high: 1, low: 1)) }

    private static let holders = Query("SELECT count(*) FROM document WHERE text IS NOT NULL")
    private static let traits = Query("SELECT traits FROM document ORDER BY row")
    private static let lost = Query(
        "SELECT row FROM twin WHERE holder NOT IN (SELECT row FROM document WHERE text IS NOT NULL)")

    private func version(_ edit: UInt64) throws -> DocumentVersion {
        let time = FileTime(seconds: Int64(edit))
        let facts = FileFacts(
            kind: .file, identity: FileIdentity(inode: edit, birth: nil), size: edit, modified: time, changed: time)
        return try #require(
            DocumentVersion(Row(id: RowID(rawValue: 1), parent: .root, name: "f", kind: .file, facts: facts)))
    }

    private func save(_ text: String?, of row: Int64, edit: UInt64 = 1) throws {
        try search.save(DocumentContent(text: text), of: RowID(rawValue: row), as: try version(edit))
    }

    private func found(_ word: String) throws -> Set<Int64> {
        let comparison = PredicateComparison(
            .keyPath([DocumentContent.textAttribute]), .contains, .constant(.string(word)),
            options: [.caseInsensitive, .diacriticInsensitive])
        return try TextLookup(index: search).candidates(comparison, .string(word))?.all ?? []
    }

    /// How many documents hold a text themselves.
    private func holders() throws -> Int64 {
        try search.connection.first(Self.holders) { $0.int(0) } ?? 0
    }

    @Test func equalTextsAreHeldOnce() throws {
        for row in 1...3 { try save("the only copy of a thesis", of: Int64(row)) }
        try save("another thesis", of: 4)
        #expect(try holders() == 2)
        #expect(try found("copy") == [1, 2, 3])
        #expect(try found("thesis") == [1, 2, 3, 4])
        for row in 1...3 { #expect(try search.text(of: RowID(rawValue: Int64(row))) == "the only copy of a thesis") }
    }

    @Test(arguments: [-5, -1, Int64.min, 1 << 40]) func aLengthThatNoTextHasIsDamage(length: Int64) throws {
        try save("alpha", of: 1)
        try search.connection.run(Query("UPDATE document SET length = ?"), .int(length))
        #expect { _ = try search.text(of: RowID(rawValue: 1)) } throws: { ($0 as? DriveError)?.kind == .corrupt }
    }

    /// Whoever goes, the others have their text still.
    @Test(arguments: [[1, 2, 3], [2, 1, 3], [3, 2, 1]]) func aTextOutlivesItsHolder(order: [Int64]) throws {
        for row in order.sorted() { try save("alpha beta", of: row) }
        var left = Set(order)
        for row in order {
            try search.remove(RowID(rawValue: row))
            left.remove(row)
            #expect(try found("beta") == left)
            for row in left { #expect(try search.text(of: RowID(rawValue: row)) == "alpha beta") }
            #expect(try holders() == (left.isEmpty ? 0 : 1))
        }
    }

    @Test func aHolderThatChangesGivesItsTextAway() throws {
        try save("alpha", of: 1)
        try save("alpha", of: 2)
        try save("gamma", of: 1, edit: 2)
        #expect(try found("alpha") == [2])
        #expect(try found("gamma") == [1])
        try save("alpha", of: 1, edit: 3)
        #expect(try found("alpha") == [1, 2])
        #expect(try found("gamma").isEmpty)
        #expect(try holders() == 1)
    }

    @Test func aTextThatWasCutIsATwinOfOneThatWasNot() throws {
        try search.save(DocumentContent(text: "alpha", isTextCut: true), of: RowID(rawValue: 1), as: try version(1))
        try save("alpha", of: 2)
        let cut = try search.connection.all(Self.traits) {
            DocumentTraits(rawValue: $0.int(0)).contains(.isTextCut)
        }
        #expect(cut == [true, false])
    }

    /// More documents hold what is looked for than are asked one by one for their twins.
    @Test func manyHoldersAreAllFoundWithTheirTwins() throws {
        for row in 1...200 { try save("common \(row % 100)", of: Int64(row)) }
        #expect(try found("common") == Set(1...200))
        #expect(try holders() == 100)
    }

    @Test(arguments: 0..<8) func randomCopiesAgreeWithAModel(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let texts = ["alpha beta", "beta gamma", "gamma", "…", "", "delta's end."]
        var model: [Int64: String] = [:]
        for edit in 1...100 {
            let row = Int64(1 + generator.below(12))
            if generator.chance(percent: 30) {
                try search.remove(RowID(rawValue: row))
                model[row] = nil
            } else {
                let text = generator.choice(texts)
                try save(text, of: row, edit: UInt64(edit))
                model[row] = text
            }
            for word in ["alpha", "beta", "gamma", "delta"] {
                #expect(try found(word) == Set(model.filter { $0.value.contains(word) }.keys))
            }
            for (row, text) in model {
                #expect(try search.text(of: RowID(rawValue: row)) == (text.isEmpty ? nil : text))
            }
            #expect(try holders() == Int64(Set(model.values).subtracting([""]).count))
        }
        try search.connection.access { db in
            try db.execute(sql: "INSERT INTO textIndex (textIndex) VALUES ('integrity-check')")
        }
        #expect(try search.connection.all(Self.lost) { $0.int(0) } == [])
    }
}
