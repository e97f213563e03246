import DriveCore
import DriveTesting
import DrivePredicates
import Foundation
import Testing

@testable import DriveIndex

/// How many times as many random searches are made. At 1 they are about 350,000 pairs of a predicate and an item;
/// `AGREEMENT_SCALE=10` makes more than 3,000,000.
let agreementScale = max(1, ProcessInfo.processInfo.environment["AGREEMENT_SCALE"].flatMap { UInt64($0) } ?? 1)

/// What SQLite leaves out of a search is what the evaluator would leave out.
@Suite struct PredicateSearchTests {
    private static let names: [[UInt8]] = [
        Array("budget 2026.ods".utf8), Array("Budget.ODS".utf8), Array("Éclair.txt".utf8),
        Array("E\u{301}clair.txt".utf8),
        Array("ﬁnale.TXT".utf8), Array("straße".utf8), Array("STRASSE".utf8), Array("İstanbul".utf8),
        Array(".hidden".utf8),
        Array("noend.".utf8), [0xC3, 0x89, 0xFF, 0x61], [0xFF, 0x62, 0x75, 0x64], Array("日本語.pdf".utf8),
        Array("a".utf8),
        Array("100%_?*".utf8), Array("=\u{338}x".utf8), Array("Ada’s do\u{AD}nau".utf8),
        Array("x\u{2011}ray".utf8),
    ]
    private static let texts = [
        "budget", "BUD", "é", "e", "E", "ß", "ss", ".txt", ".ODS", "ods", "i", "fi", "日本", "a", "100%", "*", "", "=",
        "≠", "\u{FFFD}",
    ]
    private static let sizes: [UInt64] = [0, 1, 100, 4096, 1 << 40, UInt64(Int64.max)]

    private func filledIndex() throws -> DriveIndex {
        let index = try DriveIndex(path: nil)
        var folder = RowID.root
        for (number, name) in Self.names.enumerated() {
            let kind: ItemKind = number % 5 == 4 ? .folder : .file
            let time = FileTime(seconds: Int64(number % 4) * 10, nanoseconds: UInt32(number % 3) * 500_000_000)
            var row = Row(
                id: try index.newRowID(), parent: folder, name: FileName(bytes: name), kind: kind,
                facts: FileFacts(
                    kind: kind == .folder ? .folder : .file,
                    identity: FileIdentity(inode: UInt64(number) + 10, birth: number % 2 == 0 ? time : nil),
                    size: Self.sizes[number % Self.sizes.count], modified: time, changed: time),
                members: [Member(item: ItemID(high: 1, low: UInt64(number)))])
            if number % 3 == 0 { row.attributes.extended[.tags] = Array("work,é".utf8) }
            try index.save(row)
            // What comes after it lies in the first folder, in its second one, and so on.
            if kind == .folder { folder = row.id }
        }
        return index
    }

    private func randomPredicate(_ generator: inout SeededGenerator, depth: Int = 0) -> MetadataPredicate {
        if depth < 3, generator.chance(percent: 45) {
            let parts = (0..<(1 + generator.below(3))).map { _ in randomPredicate(&generator, depth: depth + 1) }
            return generator.choice([.and(parts), .or(parts), .not(parts[0])])
        }
        if generator.chance(percent: 5) { return .constant(generator.chance(percent: 50)) }
        return .comparison(randomComparison(&generator))
    }

    private func randomComparison(_ generator: inout SeededGenerator) -> PredicateComparison {
        let order: [ComparisonOperator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        switch generator.below(4) {
        case 0:
            return PredicateComparison(
                .keyPath(["kMDItemFSSize"]), generator.choice(order),
                .constant(.integer(Int64(clamping: generator.choice(Self.sizes)) - Int64(generator.below(2)))))
        case 1:
            let date = PredicateDate(
                seconds: Int64(generator.below(5)) * 10, nanoseconds: Int32(generator.below(2)) * 500_000_000)
            return PredicateComparison(
                .keyPath(["kMDItemFSContentChangeDate"]), generator.choice(order), .constant(.date(date)))
        default:
            let keys = [
                "kMDItemFSName", "kMDItemFSName", "kMDItemDisplayName", "_kMDItemUserTags", "kMDItemTitle", "nothing",
            ]
            let operators: [ComparisonOperator] = [.contains, .beginsWith, .endsWith, .equal, .notEqual, .like, .less]
            let key = generator.choice(keys)
            let isList = key == "_kMDItemUserTags"
            return PredicateComparison(
                .keyPath([key]), isList ? generator.choice([.contains, .equal]) : generator.choice(operators),
                .constant(.string(generator.choice(Self.texts))),
                modifier: isList || generator.chance(percent: 15) ? .any : .direct,
                options: ComparisonOptions(rawValue: generator.choice([0, 1, 2, 3, 3, 4, 16, 19])))
        }
    }

    @Test(arguments: 1...40 * agreementScale)
    func narrowedSearchesFindTheSame(seed: UInt64) throws {
        let index = try filledIndex()
        if seed % 4 < 2 { while try index.indexNames(limit: 100) {} }
        var generator = SeededGenerator(seed: seed)
        let all = try index.allRows().filter { $0.id != .root }
        // Half of the time rules hide some, and what is in them.
        let hidden = Set(all.map(\.id).filter { _ in seed % 2 == 0 && generator.chance(percent: 10) })
        try HiddenRows(index).change(adding: hidden, removing: [])
        let rows = try all.filter { row in try !index.chain(of: row).contains { hidden.contains($0.id) } }
        for _ in 0..<250 {
            let predicate = randomPredicate(&generator)
            var query = NameQuery()
            query.predicate = predicate
            var expected: Set<DrivePath>?
            do {
                let prepared = try predicate.prepared()
                expected = Set(
                    try rows.filter { try prepared.evaluate(index.metadata(of: $0, in: [])) }.map {
                        try index.path(of: $0)
                    })
            } catch is PredicateEvaluationError {}
            // Where an item cannot be compared with, it depends on the items that are looked at.
            guard let expected else { continue }
            #expect(try Set(index.search(query).map(\.path)) == expected, "\(predicate)")
            #expect(try Set(index.paths(query)) == expected, "\(predicate)")
            #expect(try index.count(query) == expected.count, "\(predicate)")
        }
    }
}
