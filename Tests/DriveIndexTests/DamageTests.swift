import DriveCore
import DriveTesting
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import DriveIndex

@Suite struct DamageTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func awholeIndexHasNoDamage(seed: UInt64) throws {
        let index = try DriveIndex(path: folder.path("index.sqlite"))
        try DriveStateContract.fill(index, seed: seed)
        #expect(try index.damage() == [])
        #expect(try DriveIndex(readOnlyAt: folder.path("index.sqlite")).damage() == [])
    }

    /// SQLite says the same of both. Of a process's memory the first page is never given.
    @Test func anIndexThatCannotBeReadIsNotCalledDamaged() throws {
        let malformed = "database disk image is malformed"
        for code in [SQLITE_CORRUPT, SQLITE_CORRUPT | 1 << 8, SQLITE_NOTADB] {
            let unread = Failure.of(code: code, message: malformed, at: "/proc/self/mem")
            #expect(unread.kind == .inputOutput)
            #expect(unread.message.contains("whether it is mounted"))
            #expect(!unread.message.contains("--repair"))
            let file = folder.path("index.sqlite")
            try Data(repeating: 7, count: 9_000).write(to: URL(filePath: String(decoding: file, as: UTF8.self)))
            #expect(
                Failure.of(code: code, message: malformed, at: String(decoding: file, as: UTF8.self)).kind == .corrupt)
            #expect(Failure.of(code: code, message: malformed, at: nil).kind == .corrupt)
        }
    }

    /// What SQLite takes for sound.
    @Test(arguments: [
        "DELETE FROM chunk WHERE prefix = (SELECT min(prefix) FROM chunk)",
        "INSERT INTO mark (folder, item) VALUES (1, 1)",
        "DELETE FROM baseMember WHERE item = (SELECT max(item) FROM baseMember)",
        "UPDATE memory SET value = x'FFFFFF' WHERE name = 'numbers'",
        "UPDATE item SET state = x'00' WHERE key = (SELECT max(key) FROM item WHERE kind IS NOT NULL)",
        "UPDATE row SET rest = x'00' WHERE id = (SELECT max(id) FROM row)",
    ])
    func whatIsKeptTwiceIsComparedAndEverythingIsDecoded(_ sql: String) throws {
        let path = folder.path("index.sqlite")
        do { try DriveStateContract.fill(try DriveIndex(path: path), seed: 6) }
        let changed = try DatabaseQueue(path: folder.url.appending(path: "index.sqlite").path).write { db in
            try db.execute(sql: sql)
            return db.changesCount
        }
        #expect(changed > 0)
        #expect(try !DriveIndex(readOnlyAt: path).damage().isEmpty)
    }

    @Test func aDamagedPageIsASentenceAndNoError() throws {
        let path = folder.path("index.sqlite")
        do {
            let index = try DriveIndex(path: path)
            try DriveStateContract.fill(index, seed: 6)
            try index.checkpoint()
        }
        // Opened before, since without its schema an index cannot even be opened.
        let index = try DriveIndex(readOnlyAt: path)
        _ = try index.numbers()
        let file = try FileHandle(forUpdating: folder.url.appending(path: "index.sqlite"))
        let end = try file.seekToEnd()
        for page in stride(from: UInt64(8_192), to: end, by: 4_096) {
            try file.seek(toOffset: page)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 64))
        }
        try file.close()
        #expect(try !index.damage().isEmpty)
    }
}
