import DriveCore
import DriveTesting
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import DriveIndex

@Suite struct DurabilityTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> DriveIndex { try DriveIndex(path: folder.path("index.sqlite")) }

    /// A connection beside the index.
    private func execute(_ sql: String) throws {
        try DatabaseQueue(path: folder.url.appending(path: "index.sqlite").path).writeWithoutTransaction {
            try $0.execute(sql: sql)
        }
    }

    private func error(_ body: () throws -> Void) -> DriveError.Kind? {
        do {
            try body()
            return nil
        } catch { return (error as? DriveError)?.kind }
    }

    @Test func reopeningKeepsEverything() throws {
        var image: StateImage?
        var last: RowID?
        do {
            let index = try open()
            #expect(index.isNew)
            try DriveStateContract.fill(index, seed: 5)
            image = try StateImage(index)
            last = try index.allRows().map(\.id).max()
        }
        let index = try open()
        #expect(!index.isNew)
        #expect(try StateImage(index) == image)
        #expect(try index.setting("colour") == [1, 2])
        #expect(try index.newRowID() > #require(last))
        try index.check()
    }

    /// Also where it was given before the transaction that records it, or one that fails comes between.
    @Test func aNumberThatIsRecordedIsNeverGivenAgain() throws {
        struct Stop: Error {}
        var intent: RowID?
        do {
            let index = try open()
            let first = try index.newRowID()
            #expect(throws: Stop.self) {
                try index.transaction {
                    try index.setSetting([1], "a")
                    throw Stop()
                }
            }
            let second = try index.newRowID()
            #expect(second > first)
            // Reading records nothing, and what follows does.
            _ = try index.transaction { try index.setting("a") }
            try index.transaction { try index.setSetting([2], "a") }
            intent = second
        }
        do {
            let index = try open()
            #expect(try index.newRowID() > #require(intent))
        }
        // Whom nothing followed may be given again.
        #expect(try open().newRowID() > #require(intent))
    }

    /// Whoever uploads is killed before anything refers to it: an index without items that knows chunks.
    @Test func uploadsOfAnIndexWithoutItemsAreKnownAfterReopening() throws {
        let chunk = ChunkReference(
            id: ContentHash(words: (1, 2, 3, 4)), length: 5, object: "pack/x/y", offset: 0, storedLength: 5,
            encoding: .raw)
        do { try open().addUploaded([chunk], of: nil) }
        #expect(try open().knownChunk(chunk.id) == chunk)
    }

    /// Only the one that says so may reach the disk later.
    @Test func whatFollowsATransactionThatIsNotDurableIsDurable() throws {
        let index = try open()
        func level() throws -> Int? {
            try index.connection.access { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        }
        #expect(try level() == 2)
        let inner = try index.transaction(isDurable: false) {
            try index.setSetting([1], "a")
            return try level()
        }
        #expect(inner == 1)
        #expect(try level() == 2)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try index.transaction(isDurable: false) {
                try index.setSetting([2], "a")
                throw Stop()
            }
        }
        #expect(try level() == 2)
        #expect(try index.setting("a") == [1])
        try index.transaction {
            let nested = try index.transaction(isDurable: false) { try level() }
            #expect(nested == 2)
        }
    }

    @Test func readersSeeWhatWasCommittedBesideTheWriter() throws {
        let index = try open()
        try index.setSetting([1], "a")
        let reader = try DriveIndex(readOnlyAt: folder.path("index.sqlite"))
        #expect(try reader.setting("a") == [1])
        try index.transaction {
            try index.setSetting([2], "a")
            #expect(try reader.setting("a") == [1])
        }
        #expect(try reader.transaction { try reader.setting("a") } == [2])
        #expect(error { try reader.setSetting([3], "a") } == .readOnly)
        #expect(error { try reader.transaction { try reader.setSetting([3], "a") } } == .readOnly)
    }

    @Test func newerIndexIsRefusedAndNotTouched() throws {
        do { try open().checkpoint() }
        try execute("PRAGMA journal_mode = DELETE; PRAGMA user_version = 99")
        let file = folder.url.appending(path: "index.sqlite")
        let before = try Data(contentsOf: file)
        #expect(error { _ = try open() } == .newerFormat)
        #expect(error { _ = try DriveIndex(readOnlyAt: folder.path("index.sqlite")) } == .newerFormat)
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func databaseOfAnotherProgramIsRefused() throws {
        try execute("CREATE TABLE cat (name TEXT)")
        #expect(error { _ = try open() } == .corrupt)
    }

    @Test func migrationKeepsWhatIsThere() throws {
        do { try open().setSetting([7], "kept") }
        let migrations = Migrations(
            version: Schema.version + 1, steps: [Schema.version: "ALTER TABLE trash ADD COLUMN colour TEXT"])
        let index = try DriveIndex(path: folder.path("index.sqlite"), migrations: migrations)
        #expect(try index.setting("kept") == [7])
        #expect(error { _ = try open() } == .newerFormat)
    }

    @Test func namesOfConflictCopiesStayThroughMigration() throws {
        let item = ItemID(high: 1, low: 2)
        let dot = Dot(device: DeviceID(high: 3, low: 4), n: 5)
        do {
            let old = try DatabaseQueue(path: folder.url.appending(path: "index.sqlite").path)
            let migrations = Migrations(newest: Schema.whole(version: 4), version: 4)
            #expect(try old.writeWithoutTransaction { try migrations.bringUpToDate($0) })
            try old.write {
                try $0.execute(
                    sql: """
                        INSERT INTO item (key, uid) VALUES (7, X'00000000000000010000000000000002');
                        INSERT INTO device VALUES (1, X'00000000000000030004');
                        INSERT INTO derived VALUES (1, 0, CAST('copy' AS BLOB), CAST('own' AS BLOB), 7, 1, 5);
                        """)
            }
        }
        let index = try open()
        let name = DerivedName(name: "copy", ownName: "own", item: item, dot: dot, isNumbered: true)
        #expect(try index.derivedNames(in: .root) == [name])
        #expect(try index.derivedName("copy", in: .root) == name)
        #expect(try index.hasNumberedNames(in: .root) == true)
    }

    /// Version 11 folded names with the signs that typesetting puts into words.
    @Test func namesOfBeforeAreFoldedAsWordsAreNow() throws {
        let (ada, ray) = ("Ada’s Do\u{AD}nau.txt", "x\u{2011}Ray")
        let time = FileTime(seconds: 1)
        do {
            let index = try open()
            for name in [ada, ray, "plain"] {
                let id = try index.newRowID()
                let number = UInt64(id.rawValue)
                let facts = FileFacts(
                    kind: .file, identity: FileIdentity(inode: number, birth: nil), size: 1, modified: time,
                    changed: time)
                try index.save(
                    Row(
                        id: id, parent: .root, name: FileName(name), kind: .file, facts: facts,
                        members: [Member(item: ItemID(high: 1, low: number))]))
            }
        }
        for name in [ada, ray] {
            let (old, folded) = (Self.hex(name), Self.hex(name.lowercased()))
            try execute("UPDATE row SET folded = X'\(folded)' WHERE name = X'\(old)'")
        }
        do {
            let index = try open()
            while try index.indexNames(limit: 10) {}
        }
        try execute("PRAGMA user_version = 11")
        let index = try open()
        for (sought, name) in [("ada's", ada), ("donau", ada), ("x-r", ray), ("plain", "plain")] {
            #expect(try index.paths(NameQuery(nameContaining: sought)) == [DrivePath([FileName(name)])], "\(sought)")
        }
        while try index.indexNames(limit: 10) {}
        #expect(try index.paths(NameQuery(nameContaining: "do\u{AD}nau")) == [DrivePath([FileName(ada)])])
    }

    private static func hex(_ text: String) -> String {
        text.utf8.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    @Test func failedMigrationLeavesTheOldVersion() throws {
        do { try open().setSetting([7], "kept") }
        let migrations = Migrations(
            version: Schema.version + 2,
            steps: [
                Schema.version: "ALTER TABLE trash ADD COLUMN colour TEXT",
                Schema.version + 1: "ALTER TABLE dog ADD COLUMN bone TEXT",
            ])
        #expect(throws: DriveError.self) {
            _ = try DriveIndex(path: folder.path("index.sqlite"), migrations: migrations)
        }
        let index = try open()
        #expect(try index.setting("kept") == [7])
        try index.addTrash(TrashEntry(name: "a", path: "a", hash: nil, size: 1, reason: .deleted, time: 1))
    }

    @Test func whatCannotBeOpenedIsNoMistakeOfTheCaller() throws {
        // SQLite says SQLITE_CANTOPEN, whatever the reason.
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "index.sqlite"), withIntermediateDirectories: false)
        #expect(error { _ = try open() } == .inputOutput)
    }

    /// Beside the index SQLite makes two files whenever it is opened.
    @Test func aDiskOnWhichNoFileCanBeMadeIsFull() throws {
        let place = folder.url.appending(path: "disk").path
        mkdir(place, 0o755)
        guard mount("none", place, "tmpfs", 0, "size=8m,nr_inodes=32") == 0 else {
            try Test.cancel("mounting is not allowed here")
        }
        defer { umount2(place, Int32(MNT_DETACH)) }
        let path = Array("\(place)/index.sqlite".utf8)
        do { _ = try DriveIndex(path: path) }
        var isFull = false
        for number in 0..<40 where !isFull {
            let file = creat("\(place)/\(number)", 0o600)
            isFull = file < 0
            if file >= 0 { close(file) }
        }
        #expect(isFull)
        #expect(error { _ = try DriveIndex(path: path) } == .noSpace)
    }

    @Test func aSharedFileThatCannotGrowIsAFullDisk() {
        // SQLITE_IOERR_SHMSIZE (sqlite.org/rescode.html)
        #expect(Failure.of(code: 4_874, message: "disk I/O error", at: nil).kind == .noSpace)
        #expect(Failure.of(code: SQLITE_IOERR, message: "disk I/O error", at: nil).kind == .inputOutput)
    }

    /// SQLITE_IOERR_WRITE, which SQLite makes of a quota that is used up.
    @Test(arguments: [(EDQUOT, DriveError.Kind.noSpace), (ENOSPC, .noSpace), (EIO, .inputOutput), (0, .inputOutput)])
    func aQuotaIsNoFailingDisk(_ systemError: CInt, _ kind: DriveError.Kind) {
        let error = Failure.of(code: 778, message: "disk I/O error", at: nil, systemError: systemError)
        #expect(error.kind == kind)
    }

    @Test func anIndexWhoseMakerWasKilledGetsItsRoot() throws {
        let made = try DatabaseQueue(path: folder.url.appending(path: "index.sqlite").path)
        #expect(try made.writeWithoutTransaction { try Migrations().bringUpToDate($0) })
        try made.close()
        let index = try open()
        #expect(!index.isNew)
        #expect(try index.row(.root)?.kind == .folder)
        #expect(try index.rowCount() == DriveIndex(path: nil).rowCount())
    }

    @Test func garbageIsReportedAsCorrupt() throws {
        try Data(repeating: 0x5A, count: 8_192).write(to: folder.url.appending(path: "index.sqlite"))
        #expect(error { _ = try open() } == .corrupt)
    }

    @Test func damagedPageIsFound() throws {
        do {
            let index = try open()
            try DriveStateContract.fill(index, seed: 6)
            try index.checkpoint()
        }
        let file = try FileHandle(forUpdating: folder.url.appending(path: "index.sqlite"))
        let end = try file.seekToEnd()
        for page in stride(from: UInt64(4_096), to: end, by: 4_096) {
            try file.seek(toOffset: page)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 64))
        }
        try file.close()
        #expect(error { try open().check() } == .corrupt)
    }

    @Test func secondWriterHasToWait() throws {
        let index = try open()
        let other = try DatabaseQueue(path: folder.url.appending(path: "index.sqlite").path)
        try index.transaction {
            try index.setSetting([1], "a")
            #expect(throws: DatabaseError.self) { try other.write { try $0.execute(sql: "DELETE FROM setting") } }
        }
        #expect(try index.setting("a") == [1])
    }

    @Test func fullDiskIsNoSpaceAndUndoesTheTransaction() throws {
        let index = try open()
        try index.setSetting([1], "a")
        try index.connection.access { try $0.execute(sql: "PRAGMA max_page_count = 60") }
        let kind = error {
            try index.transaction {
                try index.setSetting([2], "a")
                for place in 0..<2_000 { try index.setSetting([UInt8](repeating: 1, count: 900), "s\(place)") }
            }
        }
        #expect(kind == .noSpace)
        #expect(try index.setting("a") == [1])
        #expect(try index.setting("s0") == nil)
    }

    @Test func oldEventsGo() throws {
        let index = try DriveIndex(path: nil)
        let count = UInt64(DriveIndex.keptEvents + 600)
        try index.transaction {
            for time in 1...count { try index.log(DriveEvent(time: time, kind: .added, path: "f")) }
        }
        let events = try index.events(limit: .max)
        #expect(events.count >= DriveIndex.keptEvents && events.count < DriveIndex.keptEvents + 300)
        #expect(events.first?.time == count)
        #expect(try index.isLogCut())
        let other = try DriveIndex(path: nil)
        #expect(try !other.isLogCut())
        try other.log(DriveEvent(time: 1, kind: .added, path: "f"))
        #expect(try !other.isLogCut())
    }

    @Test func pathsNeedNotBeText() throws {
        let path = folder.path("") + [0x2F, 0xFF, 0x25, 0x3F] + Array("i".utf8)
        do { try DriveIndex(path: path).setSetting([1], "a") }
        #expect(try DriveIndex(readOnlyAt: path).setting("a") == [1])
    }

    @Test func uploadedChunkIsForgottenWhenARecordRefersToIt() throws {
        let index = try open()
        let hash = ContentHash(words: (1, 2, 3, 4))
        let chunk = ChunkReference(
            id: hash, length: 5, object: "pack/x/y", offset: 0, storedLength: 5, encoding: .raw)
        try index.addUploaded([chunk], of: nil)
        let dot = Dot(device: DeviceID(high: 1, low: 1), n: 1)
        let tag = Tag(time: .zero, dot: dot)
        let content = Content(hash: hash, size: 5, modified: FileTime(seconds: 1), body: .chunks([chunk]))
        let state = ItemState(
            id: ItemID(high: 1, low: 1), kind: .file, context: DeviceVector(dot.device, 1),
            name: Register(tag: tag, value: "f"),
            placement: Register(tag: tag, value: Placement(parent: .root, from: .root)),
            heads: [Head(dot: dot, time: .zero, content: content)], life: [LifeDot(dot: dot)])
        var item = StoredItem(state: state)
        item.shape.isAlive = true
        try index.save(item)
        let left = try index.connection.access { try Int.fetchOne($0, sql: "SELECT count(*) FROM uploaded") }
        #expect(left == 0)
        #expect(try index.knownChunk(hash) == chunk)
    }
}
