import DriveCore
import DriveIndex
import Testing

@Suite struct SearchTests {
    let index: DriveIndex

    init() throws {
        index = try DriveIndex(path: nil)
        let papers = try add("Papers", in: .root, .folder)
        let old = try add("old", in: papers, .folder)
        try add("Müller Budget.PDF", in: papers, size: 500, time: 100)
        try add("budget.txt", in: old, size: 20, time: 200)
        try add("notes", in: .root, size: 0, time: 300)
        try add(FileName(bytes: [0xFF] + Array("BUDGET.pdf".utf8)), in: old, size: 90, time: 400) {
            $0.isDerived = true
        }
        try add("gone.txt", in: .root, size: 7, time: 500) { $0.isHeld = true }
    }

    @discardableResult private func add(
        _ name: FileName, in parent: RowID, _ kind: ItemKind = .file, size: UInt64 = 0, time: Int64 = 0,
        _ edit: (inout Row) -> Void = { _ in }
    ) throws -> RowID {
        let id = try index.newRowID()
        let time = FileTime(seconds: time, nanoseconds: 5)
        let item = ItemID(high: 9, low: UInt64(id.rawValue))
        var row = Row(
            id: id, parent: parent, name: name, kind: kind,
            facts: FileFacts(
                kind: kind == .folder ? .folder : .file,
                identity: FileIdentity(inode: UInt64(id.rawValue), birth: nil), size: size, modified: time,
                changed: time), members: [Member(item: item)])
        edit(&row)
        try index.save(row)
        return id
    }

    private func found(_ edit: (inout NameQuery) -> Void) throws -> Set<String> {
        var query = NameQuery()
        edit(&query)
        return Set(try index.search(query).map { "\($0.path)" })
    }

    private func named(_ text: String) throws -> Set<String> {
        Set(try index.search(NameQuery(nameContaining: text)).map { "\($0.path)" })
    }

    @Test func textInNamesDisregardsCaseAndDiacritics() throws {
        #expect(try named("müller BUDGET") == ["Papers/Müller Budget.PDF"])
        #expect(try named("ülLer") == ["Papers/Müller Budget.PDF"])
        #expect(try named("budget").count == 3)
        #expect(try named("nowhere") == [])
        #expect(try found { _ in }.count == 7)
    }

    /// As it is when a pass ends early in which two folders change places.
    @Test func whatIsInAFolderThatWaitsAsideIsListedWhereItWas() throws {
        let aside = try add("aside", in: .root, .folder) { $0.isParked = true }
        let deep = try add("deep", in: aside, .folder)
        try add("inside.md", in: deep)
        #expect(try named("inside") == ["aside/deep/inside.md"])
        #expect(try found { $0.states = [.waiting] } == ["aside", "aside/deep", "aside/deep/inside.md"])
        let listed = try index.paths(NameQuery(nameContaining: "inside")).map { "\($0)" }
        #expect(listed == ["aside/deep/inside.md"])
    }

    private func lying(in folder: DrivePath?, named name: FileName? = nil) throws -> Set<String> {
        try found { query in
            query.folder = folder
            query.isShallow = true
            query.name = name
        }
    }

    @Test func ofAFolderJustWhatLiesInItIsFound() throws {
        #expect(try lying(in: nil) == ["Papers", "notes", "gone.txt"])
        #expect(try lying(in: "Papers") == ["Papers/Müller Budget.PDF", "Papers/old"])
        #expect(try lying(in: "Papers", named: "old") == ["Papers/old"])
        #expect(try lying(in: "Papers", named: "OLD") == [])
        #expect(try lying(in: "nowhere") == [])
        #expect(try found { $0.folder = "nowhere" } == [])
        let all = try found { $0.folder = "Papers" }
        #expect(all.count == 4)
        // What waits aside has a path too, which another folder may have by now.
        let aside = try add("Papers", in: .root, .folder) { $0.isParked = true }
        try add("other", in: aside)
        #expect(try found { $0.folder = "Papers" } == all.union(["Papers/other"]))
        #expect(try lying(in: "Papers") == ["Papers/Müller Budget.PDF", "Papers/old", "Papers/other"])
    }

    @Test func extensionsAreEndings() throws {
        #expect(try found { $0.extensions = ["pdf"] }.count == 2)
        #expect(try found { $0.extensions = ["pdf", "TXT"] }.count == 4)
        #expect(try found { $0.extensions = ["notes"] } == [])
    }

    @Test func sizesAndDatesBound() throws {
        #expect(try found { $0.size = 20...90 }.count == 2)
        #expect(try found { $0.since = FileTime(seconds: 300, nanoseconds: 5) }.count == 3)
        #expect(try found { $0.since = FileTime(seconds: 300, nanoseconds: 6) }.count == 2)
        #expect(
            try found {
                $0.before = FileTime(seconds: 100, nanoseconds: 6)
                $0.kinds = [.file]
            } == ["Papers/Müller Budget.PDF"])
    }

    @Test func foldersNarrowTheSearch() throws {
        #expect(try found { $0.folder = "Papers/old" }.count == 2)
        #expect(try found { $0.folder = "Papers" }.count == 4)
        #expect(try found { $0.kinds = [.folder] } == ["Papers", "Papers/old"])
    }

    @Test func statesAreThoseOfRowsAndRecords() throws {
        #expect(try found { $0.states = [.held] } == ["gone.txt"])
        #expect(try found { $0.states = [.conflict] }.count == 1)
        let notes = try #require(try index.child(of: .root, named: "notes"))
        try index.setNumbers(RecordNumbers(device: try index.numbers().device, last: 3))
        try index.setOwnRecord(OwnRecord(n: 3), of: notes.primary.item)
        #expect(try found { $0.states = [.uploading] } == ["notes"])
        // What was changed here is what keeps it from being in step, whatever is to be looked at besides.
        try index.addDirt(ViewDirt(items: [notes.primary.item]))
        #expect(try found { $0.states = [.uploading] } == ["notes"])
        var memory = try index.journal()
        memory.published = 3
        try index.setJournal(memory)
        #expect(try found { $0.states = [.downloading] } == ["notes"])
        try index.changeDirt(removing: index.dirt(), adding: ViewDirt())
        #expect(try index.metadata(of: notes, in: []).state == .synced)
    }

    @Test func limitsEndTheSearch() throws {
        #expect(try found { $0.limit = 2 }.count == 2)
        #expect(try found { $0.limit = 0 }.isEmpty)
    }
}
