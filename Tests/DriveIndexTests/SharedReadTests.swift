import DriveCore
import DriveIndex
import DriveTesting
import Testing

/// Reads between transactions share one view of the file, and nothing else changes by that.
struct SharedReadTests {
    private let folder: TemporaryFolder
    private let index: DriveIndex

    init() throws {
        folder = try TemporaryFolder()
        index = try DriveIndex(path: folder.path("index.sqlite"))
        try index.setSetting([1], "a")
    }

    private func readBeside() throws -> [UInt8]? {
        try DriveIndex(readOnlyAt: folder.path("index.sqlite")).setting("a")
    }

    @Test func whatSomebodyElseWroteIsSeenAfterTheReadsEnded() throws {
        #expect(try index.setting("a") == [1])
        try DriveIndex(path: folder.path("index.sqlite")).setSetting([2], "a")
        #expect(try index.setting("a") == [1])
        try index.endReading()
        #expect(try index.setting("a") == [2])
    }

    /// Others write what a reader that is kept has read before.
    @Test func aReaderThatIsKeptRemembersNothing() throws {
        let reader = try DriveIndex(readOnlyAt: folder.path("index.sqlite"))
        #expect(try reader.dirt().isEmpty && reader.rowCount() == 0)
        let dirt = ViewDirt(groups: [GroupKey(node: .root, name: "f")], items: [ItemID(high: 1, low: 1)])
        try index.transaction {
            try index.changeDirt(removing: ViewDirt(), adding: dirt)
            let root = try #require(try index.row(.root))
            try index.save(
                Row(id: try index.newRowID(), parent: .root, name: "f", kind: .folder, facts: root.facts))
        }
        #expect(try reader.dirt() == dirt && reader.dirtyItems() == dirt.items && reader.rowCount() == 1)
    }

    @Test func aTransactionSeesTheNewestAndSoDoReadsAfterIt() throws {
        #expect(try index.setting("a") == [1])
        try DriveIndex(path: folder.path("index.sqlite")).setSetting([2], "a")
        #expect(try index.transaction { try index.setting("a") } == [2])
        #expect(try index.setting("a") == [2])
    }

    @Test func aWriteAmongReadsIsThereForOthersAtOnce() throws {
        #expect(try index.setting("a") == [1])
        try index.setSetting([3], "a")
        #expect(try readBeside() == [3])
        #expect(try index.setting("a") == [3])
        try index.transaction { try index.setSetting([4], "a") }
        #expect(try readBeside() == [4])
    }

    @Test func aTransactionThatFailedAmongReadsLeavesNothing() throws {
        struct Stop: Error {}
        #expect(try index.setting("a") == [1])
        #expect(throws: Stop.self) {
            try index.transaction {
                try index.setSetting([5], "a")
                throw Stop()
            }
        }
        #expect(try index.setting("a") == [1])
        #expect(try readBeside() == [1])
    }

    @Test func whatNeedsTheFileAloneFindsItSoAmongReads() throws {
        #expect(try index.setting("a") == [1])
        try index.check()
        #expect(try index.setting("a") == [1])
        try index.releaseMemory()
        #expect(try index.setting("a") == [1])
        try index.checkpoint()
        #expect(try index.setting("a") == [1])
        try index.copy(to: String(decoding: folder.path("copy.sqlite"), as: UTF8.self))
        #expect(try DriveIndex(readOnlyAt: folder.path("copy.sqlite")).setting("a") == [1])
    }
}
