import CLinux
import DriveCore
import Glibc
import Testing

@testable import DriveFiles

struct FolderStoreTests {
    private func store(_ scratch: Scratch) -> FolderObjectStore { FolderObjectStore(at: scratch.path) }

    @Test(arguments: scratchPlaces)
    func whatIsPutIsThere(place: String) async throws {
        let scratch = try Scratch(in: place)
        let store = store(scratch)
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try await store.put("dd1/abc/pack/d-1/x.y", bytes)
        #expect(try await store.get("dd1/abc/pack/d-1/x.y", range: nil) == bytes)
        // Another process sees it too.
        #expect(try await self.store(scratch).get("dd1/abc/pack/d-1/x.y", range: nil) == bytes)
        try await store.put("empty", [])
        #expect(try await store.get("empty", range: nil) == [])
        #expect(try await store.get("dd1/abc/pack/d-1/none", range: nil) == nil)
        #expect(try await store.get("none/at/all", range: nil) == nil)
        #expect(try await store.get("dd1/abc", range: nil) == nil)
        #expect(try await store.get("empty/below", range: nil) == nil)
    }

    /// Where the file system does not say what a name is: a folder that is passed over would seem empty.
    @Test func aLookThatFailsIsNoAnswer() throws {
        let scratch = try Scratch()
        let folder = try Descriptor.root(at: scratch.path)
        func isFolder(_ name: String, in folder: Descriptor) throws(DriveError) -> Bool {
            let bytes = Array(name.utf8)
            return try bytes.withUnsafeBufferPointer { name throws(DriveError) in
                try StoreWalk.isFolder(nil, name, in: folder)
            }
        }
        #expect(mkdir("\(scratch.text)/a", 0o755) == 0)
        #expect(try isFolder("a", in: folder))
        #expect(try !isFolder("gone", in: folder))
        #expect(throws: DriveError.self) { _ = try isFolder("a", in: Descriptor(Int32.max)) }
    }

    @Test func rangesAreCutAtTheEnd() async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        try await store.put("a", Array("0123456789".utf8))
        #expect(try await store.get("a", range: 2..<5) == Array("234".utf8))
        #expect(try await store.get("a", range: 8..<100) == Array("89".utf8))
        #expect(try await store.get("a", range: 8..<UInt64.max) == Array("89".utf8))
        #expect(try await store.get("a", range: 10..<20) == [])
        #expect(try await store.get("a", range: 500..<600) == [])
        #expect(try await store.get("a", range: 3..<3) == [])
    }

    @Test func puttingTwiceIsHarmlessAndNothingIsReplaced() async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        try await store.put("a/b", [1, 2])
        try await store.put("a/b", [1, 2])
        #expect(await kind { try await store.put("a/b", [1, 3]) } == .corrupt)
        #expect(await kind { try await store.put("a/b", [1, 2, 3]) } == .corrupt)
        #expect(try await store.get("a/b", range: nil) == [1, 2])
        #expect(try await store.list(prefix: "", after: nil, limit: 10).count == 1)
    }

    /// As by somebody whose umask is 077; that of all tests is as it is.
    @Test(arguments: [
        (0o2775, 0o770, 0o640), (0o2777, 0o777, 0o644), (0o2770, 0o770, 0o640), (0o755, 0o700, 0o600),
        (0o2750, 0o700, 0o600),
    ])
    func whatIsMadeInASharedStoreIsShared(mode: Int, folder: Int, object: Int) throws {
        let scratch = try Scratch()
        if geteuid() == 0 { chown(scratch.text, UInt32.max, 54_321) }
        #expect(chmod(scratch.text, mode_t(mode)) == 0)
        let root = try Descriptor.root(at: scratch.path)
        let shared = SharedStore(try root.facts())
        for (name, isFolder) in [("folder", true), ("object", false)] {
            if isFolder { mkdir(scratch(name), 0o700) } else { try scratch.write(name, "x", mode: 0o600) }
            // Where the folder gives no group to what is made in it.
            if geteuid() == 0 { chown(scratch(name), UInt32.max, 12_345) }
            let item = try #require(try Descriptor.pin(FileName(name), in: root.number))
            shared?.open(item, isFolder: isFolder)
            let found = try scratch.status(name)
            #expect(found.st_mode & 0o777 == mode_t(isFolder ? folder : object), "\(name)")
            let group = try root.facts().group
            #expect(shared == nil || found.st_gid == group, "\(name)")
        }
    }

    /// What a put makes is as the store's folder has it.
    @Test func aSharedStoreIsSharedAllTheWayDown() async throws {
        let scratch = try Scratch()
        #expect(chmod(scratch.text, 0o2777) == 0)
        try await store(scratch).put("dd1/abc/x", [1])
        for name in ["dd1", "dd1/abc"] { #expect(try scratch.status(name).st_mode & 0o777 == 0o777, "\(name)") }
        #expect(try scratch.status("dd1/abc/x").st_mode & 0o044 == 0o044)
        // As the first device makes it, before there is a store in it.
        mkdir(scratch("mark"), 0o700)
        FolderObjectStore.share(folder: scratch.path + Array("/mark".utf8), in: scratch.path)
        #expect(try scratch.status("mark").st_mode & 0o777 == 0o777)
    }

    /// What some tools leave in the place of a file that they lost.
    @Test func aFolderInThePlaceOfAnObjectGivesWayWhereItIsEmpty() async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        try await store.put("a/full/x", [1])
        try await store.put("a/empty/x", [1])
        try await store.delete("a/empty/x")
        #expect(scratch.exists("a/empty"))
        try await store.put("a/empty", [2])
        #expect(try await store.get("a/empty", range: nil) == [2])
        #expect(await kind { try await store.put("a/full", [2]) } == .permissionDenied)
        #expect(try await store.get("a/full/x", range: nil) == [1])
    }

    @Test func deletingIsIdempotent() async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        try await store.put("a/b", [1])
        try await store.delete("a/b")
        try await store.delete("a/b")
        try await store.delete("x/y/z")
        try await store.delete("a")
        #expect(try await store.get("a/b", range: nil) == nil)
        #expect(scratch.exists("a"))
        try await store.put("a/b", [1])
    }

    @Test(arguments: [
        "", "/", "a//b", "/a", "a/", ".", "..", "a/../b", "a/./b", ".hidden", "a/.b", "A", "a_b", "a b", "é", "a\u{0}b",
        "a\\b", "../x", String(repeating: "a", count: 256),
    ])
    func otherKeysAreRefused(key: String) async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        #expect(await kind { _ = try await store.get(key, range: nil) } == .usage)
        #expect(await kind { try await store.put(key, [1]) } == .usage)
        #expect(await kind { try await store.delete(key) } == .usage)
        #expect(try await store.list(prefix: key, after: nil, limit: 10) == [])
    }

    @Test(arguments: scratchPlaces)
    func listsInByteOrderPageByPage(place: String) async throws {
        let scratch = try Scratch(in: place)
        let store = store(scratch)
        let keys = [
            "a", "a-b", "a.b", "a-b2/x", "a.b2/x", "ab/c", "ab-c", "ab.c", "ab0", "ab/c-d/e", "ab/cd", "ab/c.d", "b/1",
            "b/10", "b/2", "z",
        ]
        for (size, key) in keys.enumerated() { try await store.put(key, Array(repeating: 1, count: size)) }
        let expected = keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        #expect(try await store.list(prefix: "", after: nil, limit: 100).map(\.key) == expected)
        for object in try await store.list(prefix: "", after: nil, limit: 100) {
            #expect(object.size == UInt64(try #require(keys.firstIndex(of: object.key))))
        }
        for limit in 1...4 {
            var paged: [ObjectKey] = []
            while true {
                let page = try await store.list(prefix: "", after: paged.last, limit: limit)
                if page.isEmpty { break }
                paged += page.map(\.key)
            }
            #expect(paged == expected)
        }
        for prefix in ["a", "ab", "ab/", "ab/c", "ab/c-d/", "b/1", "c", "z", "b/1/"] {
            let wanted = expected.filter { $0.hasPrefix(prefix) }
            #expect(try await store.list(prefix: prefix, after: nil, limit: 100).map(\.key) == wanted)
            for after in expected + ["", "ab/zz", "ab/", "m"] {
                let rest = wanted.filter { Array(after.utf8).lexicographicallyPrecedes(Array($0.utf8)) }
                #expect(try await store.list(prefix: prefix, after: after, limit: 100).map(\.key) == rest)
            }
        }
        #expect(try await store.list(prefix: "", after: nil, limit: 0) == [])
    }

    @Test func debrisOfOtherToolsIsNotSeen() async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        try await store.put("log/a", [1])
        for name in [
            "log/.docdrive-put-12ab", "log/.syncthing.a.tmp", "log/a.sync-conflict-20260101-120000-ABCDEFG",
            ".stignore",
            "log/a~", "log/Thumbs.db", "log/a (1)",
        ] { try scratch.write(name, "debris") }
        mkdir(scratch(".stfolder"), 0o755)
        try scratch.write(".stfolder/x", "debris")
        symlink("a", scratch("log/link"))
        symlink("log", scratch("log2"))
        mkfifo(scratch("log/pipe"), 0o644)
        #expect(try await store.list(prefix: "", after: nil, limit: 100).map(\.key) == ["log/a"])
        #expect(try await store.get("log/link", range: nil) == nil)
        #expect(try await store.get("log2/a", range: nil) == nil)
        #expect(try await store.get("log/pipe", range: nil) == nil)
    }

    @Test func abandonedFilesGoAfterADay() async throws {
        let scratch = try Scratch()
        mkdir(scratch("log"), 0o755)
        for name in ["log/.docdrive-put-old", "log/.docdrive-put-new", "log/.other"] { try scratch.write(name, "x") }
        for name in ["log/.docdrive-put-old", "log/.other"] {
            var times = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
            utimes(scratch(name), &times)
        }
        try await store(scratch).put("log/a", [1])
        #expect(!scratch.exists("log/.docdrive-put-old"))
        #expect(scratch.exists("log/.docdrive-put-new") && scratch.exists("log/.other"))
    }

    @Test func aLinkInTheWayIsNotFollowed() async throws {
        let outside = try Scratch()
        let scratch = try Scratch()
        symlink(outside.text, scratch("log"))
        let store = store(scratch)
        #expect(await kind { try await store.put("log/a", [1]) } == .permissionDenied)
        try outside.write("a", "keep")
        try await store.delete("log/a")
        #expect(outside.read("a") == "keep")
        #expect(try await store.list(prefix: "log/", after: nil, limit: 9) == [])
    }

    @Test func aVanishedStoreIsUnreachableAndNotMadeAnew() async throws {
        let scratch = try Scratch()
        mkdir(scratch("store"), 0o755)
        let store = FolderObjectStore(at: Array(scratch("store").utf8))
        try await store.put("a/b", [1])
        rename(scratch("store"), scratch("away"))
        #expect(await kind { try await store.put("a/c", [1]) } == .unreachable)
        #expect(await kind { _ = try await store.get("a/b", range: nil) } == .unreachable)
        #expect(await kind { _ = try await store.list(prefix: "", after: nil, limit: 1) } == .unreachable)
        #expect(await kind { try await store.delete("a/b") } == .unreachable)
        #expect(!scratch.exists("store"))
        // An empty mount point instead of the disk.
        mkdir(scratch("store"), 0o755)
        #expect(await kind { try await store.put("a/c", [1]) } == .unreachable)
        rmdir(scratch("store"))
        rename(scratch("away"), scratch("store"))
        #expect(try await store.get("a/b", range: nil) == [1])
    }

    @Test func aStoreWhoseInodeNumberChangedIsRecognised() async throws {
        let scratch = try Scratch()
        mkdir(scratch("store"), 0o755)
        let store = FolderObjectStore(at: Array(scratch("store").utf8))
        try await store.put("a/b", [1])
        rename(scratch("store"), scratch("away"))
        mkdir(scratch("store"), 0o755)
        rename(scratch("away/a"), scratch("store/a"))
        #expect(try await store.get("a/b", range: nil) == [1])
        try await store.put("a/c", [2])
        #expect(try await store.list(prefix: "a/", after: nil, limit: 9).map(\.key) == ["a/b", "a/c"])
    }

    @Test func removedFoldersAreMadeAgain() async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        try await store.put("a/b/c", [1])
        try await store.delete("a/b/c")
        rmdir(scratch("a/b"))
        rmdir(scratch("a"))
        try await store.put("a/b/c", [2])
        #expect(try await store.get("a/b/c", range: nil) == [2])
    }

    @Test func manyPutsAtOnceAllArrive() async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { try await store.put("x\(number % 7)/y/\(number)", [UInt8(number)]) }
            }
            try await group.waitForAll()
        }
        let found = try await store.list(prefix: "", after: nil, limit: 1_000)
        #expect(found.count == 100)
        for number in 0..<100 {
            #expect(try await store.get("x\(number % 7)/y/\(number)", range: nil) == [UInt8(number)])
        }
    }

    @Test func twoWritersOfOneKeyNeverMix() async throws {
        let scratch = try Scratch()
        let (one, two) = (store(scratch), store(scratch))
        let bytes = (Array(repeating: UInt8(1), count: 50_000), Array(repeating: UInt8(2), count: 60_000))
        async let first = kind { try await one.put("k/v", bytes.0) }
        async let second = kind { try await two.put("k/v", bytes.1) }
        let failures = await [first, second]
        #expect(failures.filter { $0 == nil }.count == 1 && failures.contains(.corrupt))
        #expect(try await one.get("k/v", range: nil) == (failures[0] == nil ? bytes.0 : bytes.1))
    }

    @Test func locationsTellWhatIsThere() throws {
        let scratch = try Scratch()
        func location(_ name: String) -> FolderStoreLocation {
            FolderStoreLocation(path: Array(scratch(name).utf8), mark: "dd1")
        }
        #expect(try location("new").look() == .absent)
        try location("new").create()
        try location("new").create()
        #expect(try location("new").look() == .empty)
        mkdir(scratch("new/.stfolder"), 0o755)
        mkdir(scratch("new/lost+found"), 0o755)
        #expect(try location("new").look() == .empty)
        try scratch.write("new/letter.txt", "dear")
        #expect(try location("new").look() == .occupied)
        mkdir(scratch("new/dd1"), 0o755)
        #expect(try location("new").look() == .store)
        try scratch.write("file", "1")
        #expect(try location("file").look() == .notFolder)
        #expect(kind { try location("no/such").create() } == .unreachable)
        #expect(!scratch.exists("no"))
    }
}
