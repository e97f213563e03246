import DriveCore
import DrivePredicates
import DriveTesting
import Testing

@testable import DriveIndex

/// The index of names against the names themselves, with so many that searches are led by pieces.
@Suite struct NameIndexTests {
    private static let words = [
        "budget", "Report", "Müller", "E\u{301}clair", "日本語", "final", "v2", "x", "Straße", "\u{FB01}nal", "ДОГОВОР",
        " ", "_", "a&b",
    ]

    private let index: DriveIndex
    private var generator = SeededGenerator(seed: 7)

    /// A segment and a little, and names that were never taken in.
    init() throws {
        index = try DriveIndex(path: nil)
        try index.transaction {
            for number in 0..<17_000 { try save(try index.newRowID(), number) }
        }
        while try index.indexNames(limit: 5_000) {}
        for number in 0..<40 { try save(try index.newRowID(), number) }
    }

    private mutating func save(_ id: RowID, _ number: Int) throws {
        let words = (0..<1 + generator.below(4)).map { _ in generator.choice(Self.words) }
        let time = FileTime(seconds: 1)
        try index.save(
            Row(
                id: id, parent: .root, name: FileName(words.joined() + " \(number)"), kind: .file,
                facts: FileFacts(
                    kind: .file, identity: FileIdentity(inode: 1, birth: nil), size: 1, modified: time, changed: time),
                members: [Member(item: ItemID(high: 1, low: UInt64(id.rawValue)))]))
    }

    private func agree(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let names = try index.allRows().filter { $0.id != .root }
            .map { (name: $0.name, folded: NameFolding.folded($0.name.bytes)) }
        for sought in ["2599", "13337", "müllerMÜLLER", "日本", "fi", "l v2", "nothing of the kind"] {
            let finder = ByteFinder(NameFolding.folded(Array(sought.utf8)))
            let expected = names.filter { finder.finds($0.folded) }.map { DrivePath([$0.name]) }.sorted()
            var query = NameQuery(nameContaining: sought)
            #expect(try index.paths(query).sorted() == expected, "\(sought)", sourceLocation: sourceLocation)
            #expect(try index.count(query) == expected.count, "\(sought)", sourceLocation: sourceLocation)
            #expect(try lines(index.list(query)) == expected.map(\.bytes), "\(sought)", sourceLocation: sourceLocation)
            query.limit = 3
            #expect(try index.search(query).count == min(3, expected.count), sourceLocation: sourceLocation)
        }
    }

    private func lines(_ list: PathList) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        list.forEach { lines.append(Array($0)) }
        return lines
    }

    /// Wherever it lies in the eight bytes that are looked at together, and at the very end.
    @Test func textsAreFoundWhereTheyAre() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<4_000 {
            let letters = Array("abé東".utf8)
            let text = (0..<1 + generator.below(6)).map { _ in generator.choice(letters) }
            let bytes = (0..<generator.below(70)).map { _ in generator.choice(letters) }
            let start = generator.below(bytes.count + 1)
            let places = (0...bytes.count).filter { bytes[$0...].starts(with: text) }
            bytes.withUnsafeBytes { lying in
                let found = ByteFinder(text).first(in: lying, from: start)
                #expect(found == places.first { $0 >= start }, "\(text) in \(bytes) from \(start)")
                #expect(NameTest(text: text, place: .anywhere).holds(for: lying) != places.isEmpty)
            }
        }
    }

    @Test mutating func searchesAgreeWithTheNames() throws {
        try agree()
        for number in 0..<200 {
            let id = RowID(rawValue: Int64(2 + generator.below(17_000)))
            if generator.chance(percent: 50) { try index.remove(id) } else { try save(id, number) }
        }
        try agree()
        while try index.indexNames(limit: 100) {}
        #expect(try index.unnamedCount() == 0)
        try agree()
    }

    @Test mutating func whatIsMostlyGoneIsMadeAnew() throws {
        let blocks = Query("SELECT count(*) FROM nameIndexBlock")
        try index.transaction {
            for id in 2...17_000 where id % 100 != 0 { try index.remove(RowID(rawValue: Int64(id))) }
        }
        while try index.indexNames(limit: 5_000) {}
        #expect(try #require(try index.connection.first(blocks) { $0.int(0) }) < 5)
        try agree()
    }

    @Test(arguments: [
        "README.md", "Éclair.txt", "E\u{301}clair.TXT", "日本語.pdf", "STRASSE ß", "İstanbul", "ǅ", "a", "ÀÈÌÒÙ",
        "\u{301}", "ﬁnal ﬂow",
        String(repeating: "Ä", count: 127), String(repeating: "Aé", count: 80),
    ])
    func namesComeBack(text: String) throws {
        let name = Array(text.utf8)
        let folded = NameFolding.folded(name)
        guard let changes = NameChanges.changes(from: folded, to: name) else {
            #expect(name.count > 200)
            return
        }
        #expect(try folded.withUnsafeBytes { try NameChanges.name(from: $0, by: changes) } == name)
    }

    @Test func everyBytesComeBack() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<3_000 {
            let name = (0..<1 + generator.below(40)).map { _ in generator.choice(Array("aAbBzZ1\u{E9}\u{301}".utf8)) }
            let folded = (0..<generator.below(40)).map { _ in generator.choice(Array("abz1\u{E9}".utf8)) }
            let changes = try #require(NameChanges.changes(from: folded, to: name))
            #expect(try folded.withUnsafeBytes { try NameChanges.name(from: $0, by: changes) } == name)
        }
    }
}

extension ByteFinder {
    fileprivate func finds(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { first(in: $0, from: 0) != nil } }
}
