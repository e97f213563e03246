import DriveCore
import DrivePredicates
import DriveTesting
import Foundation
import class GRDB.DatabaseQueue
import Testing

@testable import DriveIndex

/// A drive whose files change while their names and documents are indexed now and then.
private struct ChangingDrive {
    let index: DriveIndex
    var search: SearchIndex
    /// What the files hold now.
    private(set) var contents: [RowID: DocumentContent] = [:]
    private var generator: SeededGenerator
    private var edits: UInt64 = 0

    static let names = [
        "budget 2026.ods", "Budget.ODS", "Éclair.txt", "E\u{301}clair.txt", "straße", "STRASSE", "日本語.pdf", "a", "ab",
        "report-final.txt", "Report Final.TXT", "notes", "100%_?*", "=\u{338}x", "x.tar.gz", "FileWindow.swift",
        "Ada’s do\u{AD}nau.txt",
    ]
    static let words = [
        "budget", "Budget", "budgets", "FileWindow", "window", "straße", "STRASSE", "café", "cafe\u{301}", "日本語",
        "日本", "本", "a", "ab", "x-ray", "foo_bar", "foo", "bar", "e-mail", "2026", "3.14", "don't", "naïve", "ﬁnal",
        "end.", "don’t", "x\u{2011}ray", "Donau\u{AD}dampf", "foo\u{200B}bar", "\u{FEFF}ab",
        "(brackets)", "one\ntwo", "\u{301}mark", "Ωmega", "한국어", "…", "\t",
    ]
    static let titles = ["Annual Budget", "annual budget", "Éclair", "x", "", "100%", "Ada’s é"]

    init(seed: UInt64) throws {
        index = try DriveIndex(path: nil)
        search = try SearchIndex(of: DeviceID(high: 1, low: 1))
        generator = SeededGenerator(seed: seed)
        for _ in 0..<20 { try add() }
    }

    private mutating func text() -> String {
        (0..<generator.below(12)).map { _ in generator.choice(Self.words) }.joined(
            separator: generator.choice([" ", " ", "  ", ", ", "\n"]))
    }

    private mutating func content() -> DocumentContent {
        var content = DocumentContent()
        if generator.chance(percent: 70) { content.text = text() }
        if generator.chance(percent: 5) {
            content.text = String(repeating: "x", count: 200) + "budget " + (content.text ?? "")
        }
        if generator.chance(percent: 30) {
            // A copy of another document.
            let others = contents.keys.sorted()
            if !others.isEmpty { content.text = contents[generator.choice(others)]?.text }
        }
        if generator.chance(percent: 50) { content.attributes["kMDItemTitle"] = .string(generator.choice(Self.titles)) }
        if generator.chance(percent: 40) {
            content.attributes["kMDItemAuthors"] = .list(
                (0..<generator.below(3)).map { _ in .string(generator.choice(["Ada", "ada", "Bob", "Zoë"])) })
        }
        if generator.chance(percent: 50) {
            content.attributes["kMDItemNumberOfPages"] = generator.choice([
                .integer(1), .integer(7), .real(7.5), .integer(300),
            ])
        }
        if generator.chance(percent: 30) {
            content.attributes["kMDItemContentCreationDate"] = .date(
                PredicateDate(seconds: Int64(generator.below(3)) * 10, nanoseconds: 500_000_000))
        }
        return content
    }

    private mutating func facts() -> FileFacts {
        edits += 1
        let time = FileTime(seconds: Int64(edits), nanoseconds: 0)
        return FileFacts(
            kind: .file, identity: FileIdentity(inode: edits, birth: nil), size: edits, modified: time, changed: time)
    }

    private mutating func add() throws {
        let id = try index.newRowID()
        var row = Row(
            id: id, parent: .root, name: FileName(generator.choice(Self.names)), kind: .file, facts: facts(),
            members: [Member(item: ItemID(high: 1, low: UInt64(id.rawValue)))])
        if generator.chance(percent: 50) { row.hash = ContentHash(words: (edits, 0, 0, 0)) }
        try index.save(row)
        contents[id] = content()
    }

    private mutating func some() throws -> Row? {
        let rows = try index.allRows().filter { $0.id != .root }
        return rows.isEmpty ? nil : generator.choice(rows)
    }

    /// One thing that happens to a drive.
    mutating func act() throws {
        switch generator.below(8) {
        case 0: try add()
        case 1:
            guard var row = try some() else { return }
            row.name = FileName(generator.choice(Self.names))
            try index.save(row)
        case 2:
            guard var row = try some() else { return }
            row.facts = facts()
            if row.hash != nil { row.hash = ContentHash(words: (edits, 0, 0, 0)) }
            contents[row.id] = content()
            try index.save(row)
        case 3:
            guard let row = try some() else { return }
            try index.remove(row.id)
            contents[row.id] = nil
        case 4:
            guard var row = try some() else { return }
            row.isParked.toggle()
            try index.save(row)
        case 5: _ = try index.indexNames(limit: 1 + generator.below(20))
        default: try read(limit: 1 + generator.below(10))
        }
    }

    /// Reads some of what is unread, as whoever feeds the search index does.
    mutating func read(limit: Int) throws {
        var ids = try index.unreadRows(after: .root, limit: limit)
        var through: RowID?
        if ids.isEmpty {
            ids = try index.newFiles(limit: limit)
            through = ids.last
        }
        var versions: [RowID: DocumentVersion?] = [:]
        for id in ids where generator.chance(percent: 85) {
            let row = try index.row(id)
            let version = row.flatMap(DocumentVersion.init)
            versions[id] = .some(version)
            if let version, let content = contents[id] {
                try search.save(content, of: id, as: version)
            } else {
                try search.remove(id)
            }
        }
        try index.noteRead(versions, through: through)
    }

    mutating func predicate(depth: Int = 0) -> MetadataPredicate {
        if depth < 3, generator.chance(percent: 40) {
            let parts = (0..<(1 + generator.below(3))).map { _ in predicate(depth: depth + 1) }
            return generator.choice([.and(parts), .or(parts), .not(parts[0])])
        }
        return .comparison(comparison())
    }

    private mutating func comparison() -> PredicateComparison {
        let order: [ComparisonOperator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        let finding: [ComparisonOperator] = [.contains, .contains, .like, .beginsWith, .endsWith, .equal, .notEqual]
        let options = ComparisonOptions(rawValue: generator.choice([0, 1, 2, 3, 3, 3, 4, 16, 19, 19]))
        switch generator.below(8) {
        case 0:
            return PredicateComparison(
                .keyPath(["kMDItemNumberOfPages"]), generator.choice(order),
                .constant(generator.choice([.integer(7), .real(7.5), .integer(0)])))
        case 1:
            return PredicateComparison(
                .keyPath(["kMDItemContentCreationDate"]), generator.choice(order),
                .constant(.date(PredicateDate(seconds: Int64(generator.below(3)) * 10, nanoseconds: 0))))
        case 2:
            return PredicateComparison(
                .keyPath(["kMDItemTitle"]), generator.choice(finding),
                .constant(.string(generator.choice(Self.titles + ["budget", "*budget*"]))), options: options)
        case 3:
            return PredicateComparison(
                .keyPath(["kMDItemAuthors"]), generator.choice([.contains, .equal]),
                .constant(.string(generator.choice(["Ada", "zoe", "b"]))), modifier: .any, options: options)
        case 4:
            return PredicateComparison(
                .keyPath(["kMDItemFSName"]), generator.choice(finding), .constant(.string(needle(Self.names))),
                options: options)
        case 5:
            return PredicateComparison(
                .keyPath([generator.choice(["kMDItemTextContent", "kMDItemTitle", "nothing"])]),
                generator.choice([.notEqual, .equal]), .constant(.null))
        default:
            return PredicateComparison(
                .keyPath(["kMDItemTextContent"]), generator.choice(finding), .constant(.string(needle(Self.words))),
                modifier: generator.choice([.direct, .direct, .direct, .any, .none]), options: options)
        }
    }

    /// A part of what there is, or a pattern.
    private mutating func needle(_ texts: [String]) -> String {
        var text = (0..<(1 + generator.below(3))).map { _ in generator.choice(texts) }.joined(
            separator: generator.choice([" ", ""]))
        if generator.chance(percent: 50) {
            let scalars = Array(text.unicodeScalars)
            let start = generator.below(scalars.count)
            let end = start + generator.below(scalars.count - start + 1)
            text = String(String.UnicodeScalarView(scalars[start..<end]))
        }
        if generator.chance(percent: 15) { text = "*" + text }
        if generator.chance(percent: 15) { text += "*" }
        return text
    }

    /// By the evaluator alone, over every item, sorted; nil where it cannot compare.
    func expected(_ predicate: MetadataPredicate) throws -> [DrivePath]? {
        do {
            let prepared = try predicate.prepared()
            return try index.allRows().filter { $0.id != .root }.filter { row in
                try prepared.evaluate(Reference(drive: self, row: row))
            }.map { try index.path(of: $0) }.sorted()
        } catch is PredicateEvaluationError { return nil }
    }
}

/// An item as it is: by its row, and its document if that was read as it is now.
private struct Reference: PredicateObject {
    let drive: ChangingDrive
    let row: Row

    func value(forAttribute name: String) -> PredicateValue {
        if ItemMetadata.isKnown(name) {
            return (try? drive.index.metadata(of: row, in: []).value(forAttribute: name)) ?? .null
        }
        guard let version = DocumentVersion(row), let content = drive.contents[row.id],
            (try? drive.search.holds(version, of: row.id)) == true
        else { return .null }
        guard name == DocumentContent.textAttribute else { return content.attributes[name] ?? .null }
        let text = content.text.map(DocumentContent.searched) ?? ""
        return text.isEmpty ? .null : .string(text)
    }
}

@Suite struct DocumentSearchTests {
    /// Whatever happened, and whatever is still to be indexed.
    @Test(arguments: 1...24 * agreementScale)
    func searchesFindWhatTheEvaluatorFinds(seed: UInt64) throws {
        var drive = try ChangingDrive(seed: seed)
        for _ in 0..<25 {
            for _ in 0..<4 { try drive.act() }
            for _ in 0..<12 {
                let predicate = drive.predicate()
                guard let expected = try drive.expected(predicate) else { continue }
                var query = NameQuery()
                query.predicate = predicate
                // Names are not unique in this drive, but none is found twice.
                let found = try drive.index.search(query, documents: drive.search)
                #expect(found.map(\.path).sorted() == expected, "\(predicate)")
                #expect(try drive.index.paths(query, documents: drive.search).sorted() == expected, "\(predicate)")
                #expect(try drive.index.count(query, documents: drive.search) == expected.count, "\(predicate)")
            }
        }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func everythingIsReadInTheEnd(seed: UInt64) throws {
        var drive = try ChangingDrive(seed: seed)
        for _ in 0..<60 { try drive.act() }
        while try drive.index.unreadCount() > 0 { try drive.read(limit: 7) }
        while try drive.index.indexNames(limit: 5) {}
        #expect(try drive.index.unnamedCount() == 0)
        for row in try drive.index.allRows() {
            guard let version = DocumentVersion(row) else { continue }
            #expect(try drive.search.holds(version, of: row.id))
        }
    }

    @Test(arguments: [
        ("alpha\u{A0}beta", "alpha beta"), ("a\u{2003}\u{2028} b\n", "a b"), ("\u{3000}é\t\tx", "é x"),
        ("\u{A0}\n", ""), ("plain \r\n text ", "plain text"), ("zero\u{200B}width", "zero\u{200B}width"),
    ])
    func whiteSpaceIsOneSpace(text: String, expected: String) {
        #expect(DocumentContent.searched(text) == expected)
    }

    /// Else the end of a folded word would not be the end of a word.
    @Test func foldingMakesWordsOfWords() {
        for value in UInt32(0)...0x1_FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned,
                scalar.properties.generalCategory != .privateUse
            else { continue }
            let folded = String(scalar).foldedForSearch.unicodeScalars
            let staysWord = !WordBreaks.isInWord(scalar) || folded.allSatisfy { WordBreaks.isInWord($0) }
            #expect(staysWord, "\(String(value, radix: 16))")
        }
    }
}

@Suite struct SearchIndexFileTests {
    private let folder: TemporaryFolder
    private let device = DeviceID(high: 7, low: 1)

    init() throws { folder = try TemporaryFolder() }

    private var path: [UInt8] { folder.path("search.sqlite") }

    private func row(_ id: Int64, hash: UInt64) -> Row {
        let time = FileTime(seconds: 1)
        return Row(
            id: RowID(rawValue: id), parent: .root, name: "a.txt", kind: .file,
            facts: FileFacts(
                kind: .file, identity: FileIdentity(inode: 1, birth: nil), size: 1, modified: time, changed: time),
            hash: ContentHash(words: (hash, 0, 0, 0)))
    }

    private func fill(_ index: SearchIndex) throws {
        let version = try #require(DocumentVersion(row(2, hash: 1)))
        try index.save(DocumentContent(text: "words"), of: RowID(rawValue: 2), as: version)
        try index.setKnown()
    }

    private func holds(_ index: SearchIndex) throws -> Bool {
        try index.holds(#require(DocumentVersion(row(2, hash: 1))), of: RowID(rawValue: 2))
    }

    @Test func whatIsHeldStays() throws {
        do { try fill(SearchIndex.open(path: path, of: device)) }
        let index = try SearchIndex.open(path: path, of: device)
        #expect(try index.isKnown() && holds(index))
        #expect(try SearchIndex.readOnly(path: path, of: device).map { try holds($0) } == true)
    }

    @Test func anotherIndexMakesItAnew() throws {
        do { try fill(SearchIndex.open(path: path, of: device)) }
        #expect(try SearchIndex.readOnly(path: path, of: DeviceID(high: 8, low: 1)) == nil)
        let index = try SearchIndex.open(path: path, of: DeviceID(high: 8, low: 1))
        #expect(try !index.isKnown() && !holds(index))
    }

    /// As a program of then left it.
    @Test(arguments: 1..<SearchSchema.version) func anOlderVersionMakesItAnew(version: Int) throws {
        do { try fill(SearchIndex.open(path: path, of: device)) }
        try DatabaseQueue(path: folder.url.appending(path: "search.sqlite").path).write { db in
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
        #expect(try SearchIndex.readOnly(path: path, of: device) == nil)
        let index = try SearchIndex.open(path: path, of: device)
        #expect(try !index.isKnown() && !holds(index))
        try fill(index)
        #expect(try SearchIndex.readOnly(path: path, of: device).map { try holds($0) } == true)
    }

    /// Garbage of any kind, and pages that were overwritten.
    @Test(arguments: [0, 1, 2, 3]) func damageMakesItAnew(kind: Int) throws {
        do { try fill(SearchIndex.open(path: path, of: device)) }
        var bytes = try Data(contentsOf: folder.url.appending(path: "search.sqlite"))
        switch kind {
        case 0: bytes = Data("no database".utf8)
        case 1: bytes = Data()
        case 2: bytes = Data(bytes.prefix(5_000))
        default: for place in stride(from: 4_200, to: bytes.count, by: 100) { bytes[place] = 0xFF }
        }
        for ending in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(at: folder.url.appending(path: "search.sqlite\(ending)"))
        }
        try bytes.write(to: folder.url.appending(path: "search.sqlite"))
        let index = try SearchIndex.open(path: path, of: device, isChecked: true)
        #expect(try !index.isKnown())
        try fill(index)
        #expect(try holds(index))
    }

    /// Whoever only reads tells somebody who can make it anew.
    @Test func whoReadsSeesDamage() throws {
        do { try fill(SearchIndex.open(path: path, of: device)) }
        let place = folder.url.appending(path: "search.sqlite")
        let sound = try Data(contentsOf: place)
        for ending in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(at: folder.url.appending(path: "search.sqlite\(ending)"))
        }
        try Data("no database".utf8).write(to: place)
        let garbage = #expect(throws: DriveError.self) { try SearchIndex.readOnly(path: path, of: device) }
        #expect(garbage?.kind == .corrupt)
        // All but what is read to open it.
        try sound.write(to: place)
        try DatabaseQueue(path: place.path).write { try $0.execute(sql: "DROP TABLE failure") }
        let index = try #require(try SearchIndex.readOnly(path: path, of: device))
        #expect(throws: DriveError.self) { try index.check() }
        #expect(try !SearchIndex.open(path: path, of: device, isChecked: true).isKnown())
    }

    @Test func whatCannotBeUnpackedIsDamageOfTheFile() throws {
        do { try fill(SearchIndex.open(path: path, of: device)) }
        try DatabaseQueue(path: folder.url.appending(path: "search.sqlite").path).write { db in
            try db.execute(sql: "UPDATE document SET text = x'00'")
        }
        let index = try #require(try SearchIndex.readOnly(path: path, of: device))
        let error = #expect(throws: DriveError.self) { try index.text(of: RowID(rawValue: 2)) }
        #expect(error?.kind == .corrupt && error?.path?.hasSuffix("/search.sqlite") == true)
    }

    /// Whoever still reads it has its log open.
    @Test func whatIsEmptiedIsAnotherFileThen() throws {
        do { try fill(SearchIndex.open(path: path, of: device)) }
        let reader = try #require(try SearchIndex.readOnly(path: path, of: device))
        let place = folder.url.appending(path: "search.sqlite").path
        func number() -> ino_t {
            var facts = stat()
            return stat(place, &facts) == 0 ? facts.st_ino : 0
        }
        let old = number()
        #expect(truncate(place, 0) == 0)
        #expect(try SearchIndex.readOnly(path: path, of: device) == nil)
        let index = try SearchIndex.open(path: path, of: device)
        #expect(try !index.isKnown() && number() != old)
        try fill(index)
        #expect(try holds(index))
        withExtendedLifetime(reader) {}
    }

    @Test func nothingIsReadWhereThereIsNothing() throws {
        #expect(try SearchIndex.readOnly(path: path, of: device) == nil)
        try Data().write(to: folder.url.appending(path: "search.sqlite"))
        #expect(try SearchIndex.readOnly(path: path, of: device) == nil)
    }
}
