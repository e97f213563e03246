import DriveCore
import DrivePredicates
import DriveTesting
import Foundation
import Testing

@testable import DriveIndex

/// What queries are told of how items stand between two devices, which the real engine keeps in step.
struct UbiquityTests {
    private let clock = ManualClock()
    private let store: MemoryObjectStore
    private let author: EngineDevice
    private let other: EngineDevice

    init() async throws {
        store = MemoryObjectStore(clock: clock)
        author = try await Self.device(0, store, clock)
        other = try await Self.device(1, store, clock)
        author.folder.makeFolder(at: try place("Papers", author))
        author.folder.create(Array("text".utf8), at: try place("Papers/a b.txt", author))
        author.folder.create(Array("longer text".utf8), at: try place("ü.md", author))
        try await send(author)
    }

    private static func device(
        _ number: Int, _ store: MemoryObjectStore, _ clock: ManualClock
    ) async throws -> EngineDevice {
        let setup = DeviceSetup(number: number, store: store, clock: clock, seed: 3)
        var kind = DeviceKind()
        kind.hasIndex = true
        return try #require(try await kind.make(setup) as? EngineDevice)
    }

    private func place(_ path: DrivePath, _ device: EngineDevice) throws -> Place {
        try #require(device.folder.place(path))
    }

    private func send(_ device: EngineDevice) async throws {
        clock.advance(by: RunPlan.tick)
        _ = try await device.scan()
        try await device.commit(compacting: false)
    }

    private func bring(_ device: EngineDevice) async throws {
        try await device.fetch(only: nil)
        try await device.apply()
    }

    private func items(
        _ device: EngineDevice, _ format: String = "TRUEPREDICATE", _ adjust: (inout NameQuery) -> Void = { _ in }
    ) throws -> [ItemSnapshot] {
        let index = try #require(device.state as? DriveIndex)
        var query = NameQuery()
        query.predicate = try MetadataPredicate(format: format)
        query.includesAbsent = true
        adjust(&query)
        let found = try index.snapshots(query, in: Array("/home/ada/My Drive".utf8), documents: nil) { _ in nil }
        #expect(try index.count(query) { _ in nil } == found.count)
        return found.sorted { $0.path < $1.path }
    }

    private func value(_ name: String, of path: DrivePath, on device: EngineDevice) throws -> PredicateValue {
        try #require(try items(device).first { $0.path == path }, "\(path)").value(forAttribute: name)
    }

    private func ubiquity(_ key: String, of path: DrivePath, on device: EngineDevice) throws -> PredicateValue {
        try value("NSMetadataUbiquitousItem\(key)Key", of: path, on: device)
    }

    @Test func whatIsStillToBeBroughtIsFound() async throws {
        try await other.fetch(only: nil)
        #expect(try items(other).map(\.path) == ["Papers", "Papers/a b.txt", "ü.md"])
        let path: DrivePath = "Papers/a b.txt"
        #expect(
            try ubiquity("DownloadingStatus", of: path, on: other)
                == .string("NSMetadataUbiquitousItemDownloadingStatusNotDownloaded"))
        #expect(try ubiquity("IsDownloaded", of: path, on: other) == .bool(false))
        #expect(try ubiquity("DownloadRequested", of: path, on: other) == .bool(true))
        #expect(try ubiquity("PercentDownloaded", of: path, on: other) == .integer(0))
        #expect(try value("kMDItemFSSize", of: path, on: other) == .integer(4))
        #expect(try value("kDDItemDevice", of: path, on: other) == .string("A"))
        #expect(try items(other) { $0.includesAbsent = false }.isEmpty)
        try await other.apply()
        #expect(try items(other).map(\.path) == ["Papers", "Papers/a b.txt", "ü.md"])
        #expect(
            try ubiquity("DownloadingStatus", of: path, on: other)
                == .string("NSMetadataUbiquitousItemDownloadingStatusCurrent"))
        #expect(try ubiquity("PercentDownloaded", of: path, on: other) == .integer(100))
        #expect(try ubiquity("IsDownloaded", of: path, on: other) == .bool(true))
    }

    /// Every filter holds for what is not here as it will when it is.
    @Test func filtersHoldForWhatIsStillToBeBrought() async throws {
        try await other.fetch(only: nil)
        let modified = try #require(try items(author).last).row.facts.modified
        let filters: [(inout NameQuery) -> Void] = [
            { $0.extensions = ["TXT"] }, { $0.extensions = ["b.txt", "md"] }, { $0.kinds = [.folder] },
            { $0.kinds = [.file, .link] }, { $0.size = 5...100 }, { $0.size = 0...4 }, { $0.folder = "Papers" },
            // Times of folders do not travel.
            { ($0.kinds, $0.since) = ([.file], modified) }, { ($0.kinds, $0.before) = ([.file], modified) },
            { $0.limit = 2 },
            { $0.predicate = NameQuery(nameContaining: "U").predicate },
            { $0.predicate = try? MetadataPredicate(words: "text:longer") },
        ]
        var before: [Int] = []
        for filter in filters { before.append(try items(other) { filter(&$0) }.count) }
        #expect(try items(other) { $0.states = [.downloading] }.count == 3)
        #expect(try items(other) { $0.states = [.synced] }.isEmpty)
        try await other.apply()
        for (filter, count) in zip(filters, before) { #expect(try items(other) { filter(&$0) }.count == count) }
        #expect(before == [1, 1, 1, 2, 1, 1, 1, 1, 1, 2, 1, 0])
    }

    @Test func aNewerVersionElsewhereIsNoSecondItem() async throws {
        try await bring(other)
        clock.advance(by: RunPlan.tick)
        author.folder.write(Array("newer".utf8), at: try place("ü.md", author))
        try await send(author)
        try await other.fetch(only: nil)
        #expect(try items(other).count == 3)
        #expect(
            try ubiquity("DownloadingStatus", of: "ü.md", on: other)
                == .string("NSMetadataUbiquitousItemDownloadingStatusDownloaded"))
        #expect(try items(other, "NSMetadataUbiquitousItemIsDownloadingKey == YES").map(\.path) == ["ü.md"])
    }

    @Test func theChangeTagChangesWithEachChangeAndIsTheSameEverywhere() async throws {
        var tags: Set<PredicateValue> = []
        func look(_ path: DrivePath, by device: String) throws {
            let here = try value("kDDItemChangeTag", of: path, on: author)
            #expect(here == (try value("kDDItemChangeTag", of: path, on: other)))
            #expect(try value("kDDItemDevice", of: path, on: author) == .string(device))
            #expect(tags.insert(here).inserted, "\(path)")
        }
        try await bring(other)
        try look("ü.md", by: "A")
        clock.advance(by: RunPlan.tick)
        other.folder.write(Array("edited".utf8), at: try place("ü.md", other))
        try await send(other)
        try await bring(author)
        try look("ü.md", by: "B")
        author.folder.move(from: try place("ü.md", author), to: try place("v.md", author))
        try await send(author)
        try await bring(other)
        try look("v.md", by: "A")
        clock.advance(by: RunPlan.tick)
        other.folder.setExtended("user.xdg.tags", to: [0x61], at: try place("v.md", other))
        try await send(other)
        try await bring(author)
        try look("v.md", by: "B")
    }

    @Test func anItemIsAddedWhenItComesToItsFolder() async throws {
        let first = try value("kMDItemDateAdded", of: "ü.md", on: author)
        clock.advance(by: 5_000)
        author.folder.move(from: try place("ü.md", author), to: try place("v.md", author))
        try await send(author)
        #expect(try value("kMDItemDateAdded", of: "v.md", on: author) == first)
        author.folder.move(from: try place("v.md", author), to: try place("Papers/v.md", author))
        try await send(author)
        let second = try value("kMDItemDateAdded", of: "Papers/v.md", on: author)
        guard case .date(let old) = first, case .date(let new) = second else {
            Issue.record("no dates: \(first), \(second)")
            return
        }
        #expect(new > old)
        try await bring(other)
        #expect(try value("kMDItemDateAdded", of: "Papers/v.md", on: other) == second)
    }

    @Test func aConflictCopyNamesWhatItIsACopyOf() async throws {
        try await bring(other)
        clock.advance(by: RunPlan.tick)
        author.folder.write(Array("one".utf8), at: try place("ü.md", author))
        other.folder.write(Array("other".utf8), at: try place("ü.md", other))
        try await send(author)
        try await send(other)
        try await bring(author)
        let copies = try items(author, "kDDItemConflictOf != NULL")
        let copy = try #require(copies.first)
        #expect(copies.count == 1)
        #expect(copy.state == .conflict)
        #expect(copy.value(forAttribute: "kDDItemConflictOf") == .string("/home/ada/My Drive/ü.md"))
        let writers = try ["ü.md", copy.path].map { try value("kDDItemDevice", of: $0, on: author) }
        #expect(Set(writers) == [.string("A"), .string("B")])
    }

    @Test func whyAnItemDoesNotComeIsToldWithIt() async throws {
        let error = DriveError(.permissionDenied, "somebody forbids it", path: "ü.md")
        other.folder.failures = [FolderFailure(.stageFile, error: error)]
        try await bring(other)
        #expect(
            try items(other, "NSMetadataUbiquitousItemDownloadingErrorKey CONTAINS 'forbids'").map(\.path)
                == ["Papers/a b.txt", "ü.md"])
        #expect(try ubiquity("UploadingError", of: "ü.md", on: other) == .null)
    }

    /// Also of what has no reason of its own; a store that takes nothing may give.
    @Test func whatEndedTheLastPassIsWhyItemsWait() async throws {
        try await bring(other)
        clock.advance(by: RunPlan.tick)
        author.folder.write(Array("newer".utf8), at: try place("ü.md", author))
        try await send(author)
        try await other.fetch(only: nil)
        other.folder.write(Array("edited".utf8), at: try place("Papers/a b.txt", other))
        _ = try await other.scan()
        #expect(try items(other).map(\.state) == [.synced, .uploading, .downloading])
        func errors(_ kind: DriveError.Kind, isHere: Bool = false) throws -> [PredicateValue] {
            let index = try #require(other.state as? DriveIndex)
            let trouble = Trouble(DriveError(kind, "it is away"), isHere: isHere, now: 1)
            try index.setSetting(Array(JSONEncoder().encode(trouble)), Trouble.settingName)
            let items = try items(other)
            return items.map { $0.value(forAttribute: "NSMetadataUbiquitousItemUploadingErrorKey") }
                + items.map { $0.value(forAttribute: "NSMetadataUbiquitousItemDownloadingErrorKey") }
        }
        let told = PredicateValue.string("it is away")
        #expect(try errors(.unreachable) == [.null, told, .null, .null, .null, told])
        #expect(try errors(.noSpace) == [.null, told, .null, .null, .null, .null])
        #expect(try errors(.unreachable, isHere: true).allSatisfy(\.isNull))
    }

    @Test func placesAreTold() throws {
        let path: DrivePath = "Papers/a b.txt"
        #expect(try value("kMDItemPath", of: path, on: author) == .string("/home/ada/My Drive/Papers/a b.txt"))
        #expect(
            try value("kMDItemURL", of: path, on: author) == .string("file:///home/ada/My%20Drive/Papers/a%20b.txt"))
        #expect(try value("kMDItemURL", of: "ü.md", on: author) == .string("file:///home/ada/My%20Drive/%C3%BC.md"))
        #expect(try ubiquity("ContainerDisplayName", of: path, on: author) == .string("My Drive"))
        #expect(try ubiquity("PercentUploaded", of: path, on: author) == .integer(100))
    }

    /// A drive that was never in step with a store is in no cloud.
    @Test func withoutAStoreUbiquityIsMissing() throws {
        let index = try DriveIndex(path: nil)
        let time = FileTime(seconds: 7, nanoseconds: 0)
        let facts = FileFacts(
            kind: .file, identity: FileIdentity(inode: 5, birth: time), size: 1, modified: time, changed: time)
        try index.save(
            Row(
                id: try index.newRowID(), parent: .root, name: "file", kind: .file, facts: facts,
                members: [Member(item: ItemID(high: 1, low: 1))]))
        let item = try #require(try index.snapshots(NameQuery(), in: [0x2F, 0x64], documents: nil) { _ in nil }.first)
        for key in ["DownloadingStatus", "PercentUploaded", "ContainerDisplayName", "URLInLocalContainer"] {
            #expect(item.value(forAttribute: "NSMetadataUbiquitousItem\(key)Key") == .null)
        }
        #expect(item.value(forAttribute: "kMDItemDateAdded") == .date(PredicateDate(seconds: 7)))
        #expect(item.value(forAttribute: "kDDItemDevice") == .null)
        #expect(item.value(forAttribute: "kDDItemChangeTag") == .null)
    }
}
